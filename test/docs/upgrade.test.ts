import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { missingPieces, type Manifest } from '../../scripts/host/missingPieces';
import { useServer } from '../support/server';

/** What the registry has, by name and version. */
const versions: Record<string, Record<string, Manifest>> = {
	n8n: {
		'2.1.0': {},
		'2.99.0': {
			dependencies: {
				'n8n-core': '2.99.0',
				'@n8n/agents': '0.99.0',
				lodash: '9.9.9',
			},
		},
	},
	'n8n-core': { '2.99.0': { dependencies: { 'n8n-workflow': '2.99.0' } } },
	'@n8n/agents': { '0.98.0': {} },
	'n8n-workflow': { '2.98.0': {} },
};

const pins = ['.', 'scripts/hosts/n8n-2'].flatMap((folder) => [
	`${folder}/package.json`,
	`${folder}/package-lock.json`,
]);
const readPins = () => pins.map((file) => readFileSync(file, 'utf8'));

describe('npm run upgrade', () => {
	const registry = useServer(({ url = '' }, response) => {
		const name = decodeURIComponent(url.slice(1));
		const manifests = Object.entries(versions[name] ?? {}).map(([version, manifest]) => [
			version,
			{ name, version, ...manifest },
		]);
		response.setHeader('content-type', 'application/json').end(
			JSON.stringify({
				name,
				'dist-tags': { latest: manifests.at(-1)?.[0] },
				versions: Object.fromEntries(manifests) as object,
			}),
		);
	});
	const upgrade = async (...args: string[]) =>
		await new Promise<{ status: number | null; said: string }>((resolve) => {
			const command = spawn(process.execPath, ['scripts/bootstrap.mjs', 'upgrade', ...args], {
				env: {
					...process.env,
					npm_config_registry: registry.url,
				},
			});
			let said = '';
			for (const stream of [command.stdout, command.stderr]) {
				stream.on('data', (text) => (said += String(text)));
			}
			command.once('close', (status) => resolve({ status, said }));
		});

	it('names each package that the registry lacks of the newest n8n, and changes nothing', async () => {
		const before = readPins();

		const { status, said } = await upgrade();

		expect(status).toBe(1);
		expect(said).toContain(
			"n8n 2.99.0 can't be installed, because the registry lacks:\n" +
				'  @n8n/agents 0.99.0, needed by n8n\n' +
				'  n8n-workflow 2.99.0, needed by n8n-core\n' +
				'Nothing was changed.',
		);
		expect(readPins()).toStrictEqual(before);
	});

	it('has nothing to do for the version that is installed', async () => {
		const { dependencies } = JSON.parse(
			readFileSync('scripts/hosts/n8n-2/package.json', 'utf8'),
		) as { dependencies: { n8n: string } };

		expect(await upgrade(dependencies.n8n)).toStrictEqual({
			status: 0,
			said: `n8n ${dependencies.n8n} is installed already.\n`,
		});
		expect(registry.requests).toHaveLength(0);
	});

	it('accepts versions of n8n 2 only', async () => {
		const { status, said } = await upgrade('1.123.81');

		expect(status).not.toBe(0);
		expect(said).toContain('It must be a version of n8n 2, such as 2.42.0.');
	});
});

describe('missingPieces', () => {
	it('asks once for a package that several need', async () => {
		const asked: string[] = [];
		const both = { '@n8n/di': '0.17.0' };
		const has: Record<string, Manifest> = {
			n8n: { dependencies: { ...both, 'n8n-core': '2.99.0' } },
			'n8n-core': { dependencies: both },
		};

		const missing = await missingPieces('2.99.0', (name) => {
			asked.push(name);
			return Promise.resolve(has[name]);
		});

		expect(asked).toStrictEqual(['n8n', '@n8n/di', 'n8n-core']);
		expect(missing).toStrictEqual([{ name: '@n8n/di', version: '0.17.0', neededBy: 'n8n' }]);
	});
});

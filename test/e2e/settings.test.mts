import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { binaryModeCases } from './cases/binaryMode.mjs';
import { combinedFormCases } from './cases/combinedForm.mjs';
import { unnoticedDeathCase } from './cases/unnoticedDeath.mjs';
import { useFixture } from './support/fixture.mjs';
import { webhook } from './support/nodes.mjs';

/** The binary data mode that is not the version's own, and other settings. */
const hosts = [
	{
		hostName: 'n8n-2',
		files: 'memory',
		settings: {
			N8N_DEFAULT_BINARY_DATA_MODE: 'default',
			N8N_EXPRESSION_ENGINE: 'legacy',
			N8N_EVENTBUS_RECOVERY_MODE: 'simple',
		},
	},
	{
		hostName: 'n8n-1',
		files: 'filesystem',
		settings: {
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			// Without this setting, n8n 1.123.81 keeps files in memory, whatever the mode.
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem',
		},
	},
];

for (const { hostName, files, settings } of hosts) {
	describe(`n8n ${hostVersion(hostName)} with other settings of its administrator`, () => {
		const passed: string[] = [];
		const fixture = useFixture({
			hostName,
			name: `settings-${hostName}`,
			prepare: async (_, closers) => {
				const proxy = createServer((incoming, response) => {
					const { url = '', method, headers } = incoming;
					passed.push(`${method} ${url}`);
					const outgoing = request(url, { method, headers }, (answer) => {
						response.writeHead(answer.statusCode ?? 502, answer.headers);
						answer.pipe(response);
					});
					// The sandbox closes while a request of a killed n8n still hangs.
					outgoing.on('error', () => response.destroy());
					incoming.pipe(outgoing);
				});
				await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
				closers.push(async () => {
					await new Promise((resolve) => proxy.close(resolve));
				});
				const { port } = proxy.address() as AddressInfo;
				return { HTTP_PROXY: `http://127.0.0.1:${port}`, ...settings };
			},
		});
		binaryModeCases(fixture, hostName, files);
		if (hostName === 'n8n-2') {
			combinedFormCases(fixture);
			unnoticedDeathCase(fixture);
		}

		it('sends the paid request and the download through HTTP_PROXY', async () => {
			passed.length = 0;
			const prompt = 'a fox';
			await fixture.run([
				webhook('by-proxy'),
				fixture.node('Generate', { operation: 'generate', prompt }),
			]);

			const [job] = fixture.charged();
			assert.deepEqual(passed, [
				`POST ${fixture.sandbox.url}/api/text2img`,
				`GET ${job?.outputUrl}`,
			]);
		});
	});
}

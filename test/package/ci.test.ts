import { readFileSync } from 'node:fs';

const workflow = (name: string) => readFileSync(`.github/workflows/${name}.yml`, 'utf8');
const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	engines: { node: string };
};

describe('the test workflow', () => {
	it('includes the oldest Node that package.json allows', () => {
		const [, oldest] = /node: \['([\d.]+)', /.exec(workflow('ci')) ?? [];
		expect(engines.node).toBe(`>=${oldest}`);
	});

	it('installs the browser and the servers that CONTRIBUTING.md requires', () => {
		const [, entry = ''] =
			/^- `npm run test:e2e`(.*)$/m.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
		const [, asked = ''] = / needs (.*?)\. /.exec(entry) ?? [];
		const [, job = ''] = workflow('ci').split(/^ {2}e2e:/m);
		const [, installed = ''] = /apt-get install --yes (.*)$/m.exec(job) ?? [];
		const browser = /CHROMIUM: \S+/.test(job) ? ['chromium'] : [];

		const names = [...asked.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
		expect([...browser, ...installed.split(' ')].sort()).toStrictEqual(names.sort());
	});
});

describe('the release workflow', () => {
	const release = workflow('release');

	it('runs all tests before it publishes', () => {
		expect(release).toContain('uses: ./.github/workflows/ci.yml');
		expect(release).toMatch(/publish:\n(?:.*\n)*?\s+needs: test\n/);
	});

	it('publishes with provenance, which n8n requires and which needs an id token', () => {
		expect(release).toMatch(/npm publish .*--provenance/);
		expect(release).toMatch(/id-token: write/);
	});

	it('publishes only tags that match package.json and the changelog', () => {
		expect(release).toMatch(/^on:\n {2}push:\n {4}tags: \['v\*'\]\n\n/m);
		const [before] = release.split('npm publish');
		expect(before).toContain('node scripts/releaseNotes.mjs "$GITHUB_REF_NAME"');
	});

	it.each(['ci', 'release'])('limits the permissions of %s.yml to reading', (name) => {
		const [top = ''] = workflow(name).split(/^jobs:/m);
		expect(top).toContain('permissions:\n  contents: read\n');
	});
});

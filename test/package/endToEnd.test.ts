import { spawnSync } from 'node:child_process';

/** Runs the command as on a machine without the programs that npm does not install. */
function endToEnd(...names: string[]) {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		['scripts/bootstrap.mjs', 'e2e', ...names],
		{ env: { ...process.env, PATH: '', CHROMIUM: '/nowhere/chromium' }, encoding: 'utf8' },
	);
	return { status, stdout, message: stderr.trim() };
}

describe('npm run test:e2e on a machine without a browser and servers', () => {
	it('names what is missing and the command that installs it, before it starts anything', () => {
		const { status, stdout, message } = endToEnd();

		expect(status).toBe(1);
		expect(stdout).toBe('');
		expect(message).toMatch(
			/^The end-to-end tests need chromium curl graphicsmagick (postgresql )?redis-server\. On Debian: apt-get install -y chromium curl graphicsmagick (postgresql )?redis-server\. If you have another/,
		);
		expect(message).not.toContain('\n');
	});

	it('requires the servers only for the tests that use them', () => {
		expect(endToEnd('queue').message).toMatch(/ redis-server\.$/);
		expect(endToEnd('editor').message).not.toContain('redis-server');
	});
});

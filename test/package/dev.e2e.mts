import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, it } from 'node:test';
import getPort from 'get-port';
import { installHost } from '../../scripts/host/installHost.mjs';
import { N8nSession } from '../../scripts/host/N8nSession.mjs';
import { owner } from '../../scripts/host/prepare.mjs';
import { cache, root } from '../../scripts/tools/checkout.mjs';
import { until } from '../support/wholeN8n/until.mjs';

const checkout = join(cache, 'e2e', 'dev');

after(async () => await rm(checkout, { recursive: true, force: true }));

/** Copies this checkout, as git knows it, with links to its installed packages. */
async function copyCheckout(): Promise<void> {
	await rm(checkout, { recursive: true, force: true });
	const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0');
	// One that was deleted is still listed.
	for (const file of files.filter((name) => name !== '' && existsSync(join(root, name)))) {
		await cp(join(root, file), join(checkout, file));
	}
	for (const folder of ['', 'sandbox', 'scripts/hosts/n8n-2']) {
		const link = join(checkout, folder, 'node_modules');
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(root, folder, 'node_modules'), link);
	}
}

it('npm run dev brings what changes in the sources into a running n8n, and leaves nothing running', async () => {
	await installHost('n8n-2');
	await copyCheckout();
	const [port, sandboxPort] = await Promise.all([getPort(), getPort()]);
	const command = ['scripts/bootstrap.mjs', 'dev', '--port', `${port}`];
	const dev = spawn(process.execPath, [...command, '--sandbox-port', `${sandboxPort}`], {
		cwd: checkout,
		env: { ...process.env, NODE_OPTIONS: '' },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const ended = once(dev, 'exit');
	// It stops what it has started. If this process is killed, it does so by itself.
	after(async () => {
		dev.kill('SIGTERM');
		await ended;
	});
	let said = '';
	for (const stream of [dev.stdout, dev.stderr]) {
		stream.on('data', (chunk) => (said += String(chunk)));
	}
	const saysHowToStop = () => {
		assert.equal(dev.exitCode, null, said);
		return said.includes('Ctrl+C');
	};
	await until('it says how to stop it', saysHowToStop, 300);

	const { url, cookie } = await N8nSession.open(`http://127.0.0.1:${port}`, owner);
	const inPanel = async (text: string) => {
		const answer = await fetch(`${url}/types/nodes.json`, { headers: { cookie } });
		return (await answer.text()).includes(text);
	};
	const source = join(checkout, 'nodes/ImageGeneration/ImageGeneration.node.ts');
	const text = await readFile(source, 'utf8');
	const [, name = ''] = /displayName: '([^']+)'/.exec(text) ?? [];
	const changed = 'Image Generation, as changed a moment ago';
	assert.deepEqual([await inPanel(name), await inPanel(changed)], [true, false]);
	await writeFile(source, text.replace(`displayName: '${name}'`, `displayName: '${changed}'`));
	await until('n8n has the change', async () => await inPanel(changed));
	assert.equal((await fetch(`http://127.0.0.1:${sandboxPort}`)).status, 200);

	dev.kill('SIGINT');
	await until('it has stopped', () => dev.exitCode !== null, 60);
	assert.equal(dev.exitCode, 130, said);
	for (const stopped of [port, sandboxPort]) {
		await assert.rejects(fetch(`http://127.0.0.1:${stopped}`), { message: 'fetch failed' });
	}
});

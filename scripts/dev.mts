import { once } from 'node:events';
import { join } from 'node:path';
import { Command } from 'commander';
import { owner } from './host/bootN8n.mjs';
import { claimPorts, withPorts, type PortOptions } from './host/claimPorts.mjs';
import { openInstalled } from './host/installPackage.mjs';
import { prepare } from './host/prepare.mjs';
import { root } from './tools/checkout.mjs';
import { atEnd } from './tools/ending.mjs';
import { PlainError } from './tools/PlainError.mjs';
import { startGroup, stopGroup } from './tools/processes.mjs';

/** `npm run dev`: runs n8n, which loads the node again whenever its sources change. */
export async function main(args: string[]): Promise<void> {
	const command = new Command('npm run dev --').description(
		'Starts the sandbox and a real n8n with this package, and rebuilds what you change in nodes/, ' +
			'credentials/ and icons/. n8n loads it at once. What you change in the sandbox needs a restart.',
	);
	const chosen = withPorts(command).parse(args, { from: 'user' }).opts<PortOptions>();
	const ports = await claimPorts('npm run dev', chosen);
	const { n8n, sandbox, place } = await prepare(ports, { N8N_DEV_RELOAD: 'true' });
	console.log(`
Open         ${n8n.url}/home/workflows
Sign in      ${owner.email}  ${owner.password}
Sandbox      ${sandbox.url}
Stop         Ctrl+C
`);
	const stopped = rebuildInto(join(openInstalled(place), 'dist'));
	throw new PlainError(`${await Promise.race([n8n.died, stopped])}. n8n's log: ${n8n.log}`);
}

/** Builds what changes into a folder. @returns what happened, if that stops unasked */
async function rebuildInto(folder: string): Promise<string> {
	const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
	const watcher = startGroup(process.execPath, [gulp, 'watch', '--silent'], {
		cwd: root,
		env: { ...process.env, BUILD_FOLDER: folder },
		stdio: 'inherit',
	});
	atEnd(async () => await stopGroup(watcher, 2000));
	await once(watcher, 'exit');
	return 'The build stopped';
}

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

/** A copy of the checkout as git knows it, without `node_modules`. */
let clone: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
	mkdirSync(join(root, '.cache'), { recursive: true });
	clone = mkdtempSync(join(root, '.cache', 'clone-'));
	const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0');
	for (const file of files.filter((name) => name !== '' && existsSync(join(root, name)))) {
		cpSync(join(root, file), join(clone, file));
	}
	env = {
		...process.env,
		CHECKOUT: root,
		CLONE: clone,
		ASIDE: join(clone, '.cache', 'aside'),
		npm_execpath: join(root, 'test', 'support', 'npm-cli.js'),
	};
});

afterAll(() => rmSync(clone, { recursive: true }));

/** The commands that a script runs, one after another. */
function commandsOf(script: string): string[] {
	return (scripts[script] ?? '').split(' && ').flatMap((command) => {
		const [, other] = /^npm run (\S+)$/.exec(command) ?? [];
		return other === undefined ? [command] : commandsOf(other);
	});
}

it('the sandbox serves with its own packages alone', async () => {
	const command = scripts.sandbox ?? '';
	const sandbox = spawn(`exec ${command} --port 0`, { cwd: clone, env, shell: true });
	const exited = once(sandbox, 'exit');
	let said = '';
	for (const stream of [sandbox.stdout, sandbox.stderr]) {
		stream.on('data', (chunk) => (said += String(chunk)));
	}
	const stopped = exited.then(() => Promise.reject(new Error(said)));
	while (!said.includes('Ctrl+C')) await Promise.race([once(sandbox.stdout, 'data'), stopped]);

	const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
	const answer = await fetch(`${url}/api/text2img`, {
		method: 'POST',
		headers: { 'api-key': 'test-key' },
		body: new URLSearchParams({ text: 'a red fox' }),
	});
	const page = await fetch(url);
	sandbox.kill('SIGINT');

	expect([answer.status, page.status, await exited]).toStrictEqual([200, 200, [0, null]]);
	expect(said).toContain("Installing the sandbox's packages …");
	expect(existsSync(join(clone, 'sandbox/node_modules/fastify'))).toBe(true);
	expect(existsSync(join(clone, 'node_modules'))).toBe(false);
});

it.each(Object.keys(scripts))('npm run %s begins with what installs missing packages', (name) => {
	const [command = ''] = commandsOf(name);
	expect(command).toMatch(/^node (--\S+ )?scripts\/bootstrap\.mjs \S/);
});

it.each(['start', 'lint:code'])(
	'npm run %s installs what it needs first, for a script and for a tool',
	(name) => {
		const [command = ''] = commandsOf(name);
		const help = command.replace(/^(node (?:--\S+ )?\S+ \S+)/, '$1 --help');
		const { status, stdout, stderr } = spawnSync(help, {
			cwd: clone,
			env,
			shell: true,
			encoding: 'utf8',
		});
		const modules = join(clone, 'node_modules');
		const installed = existsSync(join(modules, 'n8n-core'));
		if (installed) renameSync(modules, env.ASIDE ?? '');

		expect({ status, stderr, installed }).toStrictEqual({ status: 0, stderr: '', installed: true });
		expect(stdout).toMatch(/^Installing this project's packages …/m);
		expect(stdout).toMatch(/usage|options/i);
	},
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Starts a server that accepts no connection. @returns a function that gives its URL */
export function useUnconnectableServer(): () => string {
	const child = spawn(process.execPath, ['test/support/unconnectableServer.mjs'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let port = 0;
	beforeAll(async () => {
		const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
		port = Number(line);
		const sockets = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}));
		await Promise.all(sockets.map((socket) => once(socket, 'connect')));
	});
	afterAll(() => {
		child.kill('SIGKILL');
	});
	return () => `http://127.0.0.1:${port}`;
}

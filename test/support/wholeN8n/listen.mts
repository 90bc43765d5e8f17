import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** A stand-in for somebody's server, on a free loopback port. */
export interface Listening {
	/** Without a trailing slash. */
	url: string;
	/** Closes it, and whatever connection somebody keeps. */
	close: () => void;
}

export async function listen(server: Server): Promise<Listening> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${port}`, close };
}

/** Whether something listens on a loopback port. */
export async function listens(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	return await succeeds(once(socket, 'connect')).finally(() => socket.destroy());
}

export async function succeeds(task: Promise<unknown>): Promise<boolean> {
	return await task.then(
		() => true,
		() => false,
	);
}

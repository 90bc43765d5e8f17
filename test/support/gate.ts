import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door in front of a service: every request waits until it is let in. Close it in the end. */
export interface Gate {
	/** Without a slash at the end. */
	readonly url: string;
	/** Those that wait, in the order they came; calling one lets it in. */
	readonly waiting: Array<() => void>;
	/** The most requests that were unanswered at a time. */
	readonly most: number;
	close(): void;
}

/** @param service The address behind the gate. */
export async function openGate(service: string): Promise<Gate> {
	const waiting: Array<() => void> = [];
	let unanswered = 0;
	let most = 0;
	const server = createServer((incoming, answer) => {
		most = Math.max(most, ++unanswered);
		waiting.push(() => {
			const { method, headers, url = '' } = incoming;
			// With its own Host, so that the service's links lead through the gate, too.
			const onward = request(`${service}${url}`, { method, headers }, (came) => {
				unanswered--;
				answer.writeHead(came.statusCode ?? 0, came.headers);
				came.pipe(answer);
			});
			incoming.pipe(onward);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		waiting,
		get most() {
			return most;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that holds every request until the test lets it through. Close it after the test. */
export interface Gate {
	/** Without a trailing slash. */
	readonly url: string;
	/** Held requests in order of arrival; calling one lets it through. */
	readonly waiting: Array<() => void>;
	/** The most requests without a response at any time. */
	readonly most: number;
	close(): void;
}

/** @param service URL of the service behind the gate */
export async function openGate(service: string): Promise<Gate> {
	const waiting: Array<() => void> = [];
	let unanswered = 0;
	let most = 0;
	const server = createServer((incoming, answer) => {
		most = Math.max(most, ++unanswered);
		waiting.push(() => {
			const { method, headers, url = '' } = incoming;
			// Keeps the gate's Host header, so that the service's links also lead through the gate.
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

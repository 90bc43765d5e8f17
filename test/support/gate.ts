import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Opens a proxy that holds every request until the test lets it through. Close it after the test.
 * @param service URL of the service behind it
 */
export async function openGate(service: string) {
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
		/** Without a trailing slash. */
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Held requests in order of arrival; calling one lets it through. */
		waiting,
		/** The most requests without a response at any time. */
		get most() {
			return most;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server for a file's tests, and forgets its requests after each. */
export function useServer(handle: Handler) {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		handle(request, response);
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterEach(() => {
		requests.splice(0);
	});
	afterAll(() => {
		server.close();
	});
	return {
		server,
		/** Requests since the test began. */
		requests,
		/** Without a trailing slash. */
		get url() {
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
	};
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts another host for a file's tests, which responds to everything with 404. */
export function useSecondService() {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		response.writeHead(404).end();
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
		/** Requests since the test began, which should not have left the service. */
		requests,
		get url() {
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
	};
}

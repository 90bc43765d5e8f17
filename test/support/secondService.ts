import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another host, which receives what must not leave the service. */
export interface SecondService {
	readonly url: string;
	/** Requests since the test began. */
	readonly requests: IncomingMessage[];
}

/** Starts it for a file's tests; it responds to everything with 404. */
export function useSecondService(): SecondService {
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
		requests,
		get url() {
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
	};
}

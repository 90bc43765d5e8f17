import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { webhook } from '../support/wholeN8n/nodes.mjs';
import type { Closer } from '../support/wholeN8n/testedN8n.mjs';

/** A proxy that remembers what passes it. */
export class Proxy {
	/** Methods and addresses. */
	readonly passed: string[] = [];

	/** Starts it. @returns its address */
	async start(closers: Closer[]): Promise<string> {
		const server = createServer((incoming, response) => {
			const { url = '', method, headers } = incoming;
			this.passed.push(`${method} ${url}`);
			const outgoing = request(url, { method, headers }, (answer) => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(response);
			});
			// One end closes while the other one still waits.
			outgoing.on('error', () => response.destroy());
			response.on('close', () => outgoing.destroy());
			incoming.pipe(outgoing);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		closers.push(async () => {
			await new Promise((resolve) => server.close(resolve));
		});
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}
}

export function proxyCase(fixture: Fixture, { passed }: Proxy): void {
	it('HTTP_PROXY gets the paid request and the download', async () => {
		passed.length = 0;
		const prompt = 'a fox';
		await fixture.run([
			webhook('by-proxy'),
			fixture.node('Generate', { operation: 'generate', prompt }),
		]);

		const [job] = fixture.charged();
		assert.deepEqual(passed, [`POST ${fixture.sandbox.url}/api/text2img`, `GET ${job?.outputUrl}`]);
	});
}

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { httpRequestCases } from './cases/httpRequest.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`n8n ${hostVersion(hostName)} with HTTP_PROXY, which its administrator sets`, () => {
		const passed: string[] = [];
		const fixture = useFixture({
			hostName,
			name: `proxy-${hostName}`,
			prepare: async (_, closers) => {
				const proxy = createServer((incoming, response) => {
					const { url = '', method, headers } = incoming;
					passed.push(`${method} ${url}`);
					const outgoing = request(url, { method, headers }, (answer) => {
						response.writeHead(answer.statusCode ?? 502, answer.headers);
						answer.pipe(response);
					});
					incoming.pipe(outgoing);
				});
				await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
				closers.push(async () => {
					await new Promise((resolve) => proxy.close(resolve));
				});
				const { port } = proxy.address() as AddressInfo;
				return { HTTP_PROXY: `http://127.0.0.1:${port}` };
			},
		});
		httpRequestCases(fixture);

		it('sends the paid request through that proxy', () => {
			const [call] = fixture.sandbox.requests.filter(({ method }) => method === 'POST');
			assert.ok(call);
			assert.deepEqual(passed, [`POST ${fixture.sandbox.url}/api/text2img`]);
		});
	});
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IBinaryData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { PIXEL } from '../support/images';

const fixture = useFixture();

/** A service that records the bytes of each paid request, so that tests can check its headers. */
let raw: Server;
let calls: string[] = [];
beforeAll(async () => {
	raw = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (request.method === 'GET') return response.end(PIXEL);
			calls.push(Buffer.concat(chunks).toString('utf8'));
			const output_url = `http://${request.headers.host ?? ''}/job-view-file/x/output.gif`;
			return response.end(JSON.stringify({ id: 'an-id', output_url }));
		});
	});
	await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
	calls = [];
});
afterAll(() => {
	raw.closeAllConnections();
	raw.close();
});

/** Sends a file to that service to remove its background. */
async function send(data: IBinaryData, parameters: INodeParameters = {}) {
	const { port } = raw.address() as AddressInfo;
	return await fixture.run(
		{ operation: 'removeBackground', ...parameters },
		{
			items: [{ json: {}, binary: { data } }],
			credential: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'test-key' },
		},
	);
}

/** The part headers sent before the file's bytes, and the stored result's name. */
async function sent(fileName: string, options = {}) {
	const data = await fixture.engine.store(PIXEL, fileName, 'image/gif');
	const { rows, error } = await send(data, { options });
	expect(error).toBeUndefined();
	const [head = ''] = (calls[0] ?? '').split('\r\n\r\n');
	return { head: head.split('\r\n').slice(1), stored: rows[0]?.binary?.data?.fileName };
}

const NAMES: Array<[what: string, name: string, sent: string, stored: string]> = [
	['quotes', 'a"b\'c.gif', "a-b'c.gif", "a-b'c-no-background.gif"],
	[
		'line breaks',
		'a\r\nX-Evil: 1\r\n\r\nb.gif',
		'aX-Evil- 1b.gif',
		'aX-Evil- 1b-no-background.gif',
	],
	['emoji', 'Füchse 🦊👩‍👩‍👧.gif', 'Füchse 🦊👩‍👩‍👧.gif', 'Füchse 🦊👩‍👩‍👧-no-background.gif'],
	[
		'an attempt to end the part header',
		'a"; name="text"; x="b.gif',
		'a-; name=-text-; x=-b.gif',
		'a-; name=-text-; x=-b-no-background.gif',
	],
];

describe('a file name with', () => {
	it.each(NAMES)('%s is sent and stored safely', async (_, name, onWire, stored) => {
		const result = await sent(name);

		expect(result.head).toEqual([
			`Content-Disposition: form-data; name="image"; filename="${onWire}"`,
			'Content-Type: image/gif',
		]);
		expect(result.stored).toBe(stored);
	});

	it('an unsafe declared type adds no header', async () => {
		const data = {
			data: Buffer.from([0, 1, 2, 3]).toString('base64'),
			mimeType: 'image/x\r\nX-Evil: "1"',
		};
		await send(data, { download: false });

		expect(calls.join('\n')).not.toMatch(/^X-Evil/im);
	});
});

describe('a key', () => {
	it('of other characters is sent unchanged', async () => {
		const apiKey = '"quoted"\\;,=+/%41{{$json}}~';
		await fixture.run(
			{ operation: 'generate', prompt: 'A fox' },
			{ credential: { ...fixture.credential, apiKey } },
		);

		expect(fixture.calls()[0]?.headers['api-key']).toBe(apiKey);
	});
});

import { text } from 'node:stream/consumers';

import type { IBinaryData } from 'n8n-workflow';

import { PIXEL } from '../../support/images';
import { respondJson, useRawService } from '../../support/rawService';
import { marked, removeBackground } from '../../support/runs';

const service = useRawService();

/** Removes a file's background. @returns the output, and the paid request's bytes as text */
async function send(data: IBinaryData) {
	let sent = '';
	service.onCall = async (request, response) => {
		sent = await text(request);
		respondJson(response, service.job);
	};
	service.onDownload = (_request, response) => response.end(PIXEL);
	const items = [{ json: {}, binary: { data } }];
	const { rows, error } = await service.run({}, { parameters: removeBackground(), items });
	return { sent, stored: rows[0]?.binary?.data?.fileName, error };
}

describe('a file name with', () => {
	it.each([
		['quotes', 'a"b\'c.gif', "a-b'c.gif"],
		['line breaks', 'a\r\nX-Evil: 1\r\n\r\nb.gif', 'aX-Evil- 1b.gif'],
		['emoji', 'Füchse 🦊👩‍👩‍👧.gif', 'Füchse 🦊👩‍👩‍👧.gif'],
		['an attempt to end the part header', 'a"; name="text"; x="b.gif', 'a-; name=-text-; x=-b.gif'],
	])('%s is sent and stored safely', async (_what, name, safe) => {
		const data = await service.engine.store(PIXEL, name, 'image/gif');
		const { sent, stored, error } = await send(data);

		expect(error).toBeUndefined();
		const [head = ''] = sent.split('\r\n\r\n');
		expect(head.split('\r\n').slice(1)).toStrictEqual([
			`Content-Disposition: form-data; name="image"; filename="${safe}"`,
			'Content-Type: image/gif',
		]);
		expect(stored).toStrictEqual(marked(safe.replace('.gif', '-no-background'), 'gif'));
	});

	it('a declared type that would add a header is not sent at all', async () => {
		const data = Buffer.from([0, 1, 2, 3]).toString('base64');
		const { error } = await send({ data, mimeType: 'image/x\r\nX-Evil: "1"' });

		expect(error?.message).toMatch(/^The file "image" claims .* but is not an image\.$/s);
		expect(service.requests).toStrictEqual([]);
	});
});

it('a key of other characters is sent unchanged', async () => {
	const apiKey = '"quoted"\\;,=+/%41{{$json}}~';
	await service.run({}, { credential: { ...service.credential, apiKey } });

	expect(service.requests[0]?.headers['api-key']).toBe(apiKey);
});

it('an image of a type that the node does not know by its bytes is stored under the type that it is sent with', async () => {
	const content = Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1');
	service.onDownload = (_request, response) => {
		response.writeHead(200, { 'content-type': 'image/jp2' }).end(content);
	};
	const { error, rows } = await service.run();

	expect(error).toBeUndefined();
	expect(rows[0]?.binary?.data).toMatchObject({
		mimeType: 'image/jp2',
		fileName: marked('a-fox', 'img'),
	});
	expect(await service.engine.bytesOf(rows[0]?.binary?.data)).toStrictEqual(content);
});

import { useRawService } from '../support/rawService';
import { marked } from '../support/runs';

const service = useRawService();

/** Downloads this content with this type. */
async function download(text: string, type: string | undefined) {
	service.onDownload = (_request, response) => {
		response.writeHead(200, type === undefined ? {} : { 'content-type': type });
		response.end(Buffer.from(text, 'latin1'));
	};
	return await service.run();
}

it.each([
	['a web page', '<!doctype html><html></html>', 'image/svg+xml'],
	['a message', '{"err":"This file has expired."}', 'image/svg+xml'],
	['noise', '\x01\x02\x03\xc8', 'image/png'],
	['a program', '\x7fELF\x02\x01\x01\0', 'image/exe'],
	['a ZIP', 'PK\x03\x04\x14\0\0\0', 'image/html'],
	['UTF-16 text', '\xff\xfeN\0o\0', 'image/png'],
])('%s is not stored, whatever image it claims to be', async (_what, text, type) => {
	const { error, rows } = await download(text, type);

	expect(error?.message).toContain(`The service returned a file that claims to be ${type} but`);
	expect(error?.description).toContain(service.job.output_url);
	expect(rows).toStrictEqual([]);
});

it.each([
	['a Photoshop file', '8BPS\0\x01\0\0', undefined, 'image/vnd.adobe.photoshop', 'psd'],
	['a JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n', 'image/png', 'image/jp2', 'jp2'],
	['an SVG', '<!-- A --><svg/>', 'text/plain', 'image/svg+xml', 'svg'],
	['a Targa', '\0\0\x02\0\0\0\0\0\0\0\0\0\x08', 'image/x-tga', 'image/x-tga', 'img'],
	// An extension that the service made up would be anything.
	['another image', '\x01\x02\x03\x04', 'image/exe', 'image/exe', 'img'],
])('%s is stored under its own type', async (_what, text, claimed, mimeType, extension) => {
	const { error, rows } = await download(text, claimed);

	expect(error).toBeUndefined();
	expect(rows[0]?.binary?.data).toMatchObject({
		mimeType,
		fileName: marked('a-fox', extension),
	});
	const bytes = await service.engine.bytesOf(rows[0]?.binary?.data);
	expect(bytes.toString('latin1')).toBe(text);
});

import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { gif, sha256 } from '../../support/images';
import { forgetPurchases } from '../../support/remembered';
import { CONTINUE, hintsOf, removeBackground } from '../../support/runs';

const base64 = (name: string) => gif(name).toString('base64');
const ONE_BY_ONE = { options: { concurrency: 1 } };

describe.each(['filesystem', 'default'] as const)('in binary data mode "%s"', (mode) => {
	const fixture = useFixture({ echoImages: true }, mode);
	const run = async (parameters: object, item: object = {}, what = {}) => {
		// The service returns each image as it is, so that a second run would get its own result.
		forgetPurchases();
		return await fixture.run(removeBackground({ ...ONE_BY_ONE, ...parameters }), {
			items: [{ json: {}, ...item } as INodeExecutionData],
			...what,
		});
	};
	/** The files that were sent, in order. */
	const sent = () =>
		fixture
			.calls()
			.flatMap(({ files }) =>
				files.map(({ bytes, sha256: hash, mimeType, fileName }) => [
					bytes,
					hash,
					mimeType,
					fileName,
				]),
			);
	const sentAs = (name: string, fileName: string) => [
		gif(name).length,
		sha256(gif(name)),
		'image/gif',
		fileName,
	];

	it('a file whose data begins with data:image/…;base64, is sent byte for byte', async () => {
		const file = (name: string): IBinaryData => ({
			data: `data:image/gif;base64,${base64(name)}`,
			mimeType: 'image/gif',
			fileName: `${name}.gif`,
		});
		await run({}, { binary: { data: file('a') } });
		await run(
			{ binaryPropertyName: '={{ $json.list }}' },
			{ json: { list: [file('b'), file('c')] } },
		);

		expect(sent()).toStrictEqual(['a', 'b', 'c'].map((name) => sentAs(name, `${name}.gif`)));
	});

	it.each([
		['in the field of files', (text: string) => ({ binaryPropertyName: text })],
		['in the field of addresses', (text: string) => ({ inputType: 'url', imageUrl: text })],
	])('base64 and data: addresses %s are sent byte for byte', async (_where, parameters) => {
		const json = { plain: base64('p'), address: `data:image/gif;base64,${base64('a')}` };
		await run(parameters('={{ $json.plain }}'), { json });
		await run(parameters('={{ [$json.plain, $json.address] }}'), { json });

		expect(sent()).toStrictEqual(['p', 'p', 'a'].map((name) => sentAs(name, 'image.gif')));
	});

	it('one file of $binary is sent, and all of $binary are not guessed between', async () => {
		const binary = { photo: await fixture.gif('p'), logo: await fixture.gif('l') };
		await run({ binaryPropertyName: '={{ $binary.photo }}' }, { binary });
		const { error } = await run({ binaryPropertyName: '={{ $binary }}' }, { binary });

		expect(sent()).toStrictEqual([sentAs('p', 'p.gif')]);
		expect(error?.message).toContain('must be a field name or a file');
		expect(error?.description).toContain('such as {{ $binary.data }}');
	});
});

describe('All Images of the Item', () => {
	const fixture = useFixture({ echoImages: true });

	it('takes a claimed type that can be true, and skips files that no image service reads, by their bytes', async () => {
		const files: Array<[name: string, type: string, text: string]> = [
			['foo.jfif', 'image/jpeg', '\xff\xd8\xff\xe0'],
			['scan.jp2', 'image/jp2', '\0\0\0\x0cjP  \r\n\x87\n'],
			['old.pcx', 'image/x-pcx', '\x0a\x05\x01\x08\0\0'],
		];
		const others: Array<[name: string, type: string, text: string]> = [
			['logo.svg', 'image/svg+xml', '<?xml version="1.0"?>\n<svg width="8" height="8"/>'],
			['art.psd', 'image/vnd.adobe.photoshop', '8BPS\0\x01\0\0'],
			['site.ico', 'image/x-icon', '\0\0\x01\0\x01\0'],
			['raw.cr2', 'image/tiff', 'II*\0\x10\0\0\0CR\x02\0'],
			['list.pdf', 'image/x-odd', '%PDF-1.7'],
			['page.jpg', 'image/jpeg', '<!doctype html><html></html>'],
		];
		const all = [...files, ...others].map(async ([name, type, text]) => {
			const bytes = Buffer.from(text.padEnd(200, '\x01'), 'latin1');
			const stored = await fixture.engine.store(bytes, name, type);
			return [name.replace('.', '_'), stored] as const;
		});
		const binary = Object.fromEntries(await Promise.all(all));
		const result = await fixture.run(removeBackground({ inputType: 'all', ...ONE_BY_ONE }), {
			items: [{ json: {}, binary }],
			node: CONTINUE,
		});
		const { error } = await fixture.run(removeBackground({ binaryPropertyName: 'logo_svg' }), {
			items: [{ json: {}, binary }],
		});

		expect(
			fixture.calls().map(({ files: [file] }) => [file?.fileName, file?.mimeType]),
		).toStrictEqual(files.map(([name, type]) => [name, type]));
		expect(hintsOf(result)?.join()).toContain(
			'6 files were skipped because they are not images: logo.svg, art.psd, site.ico, raw.cr2, list.pdf and 1 more.',
		);
		expect(error?.message).toBe('The file "logo.svg" is an SVG.');
	});
});

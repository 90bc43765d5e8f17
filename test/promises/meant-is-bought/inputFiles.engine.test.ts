import { readFileSync } from 'node:fs';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { PHOTO, useFixture } from '../../support/fixture';
import { gif, sha256 } from '../../support/images';
import { forgetPurchases } from '../../support/remembered';
import { removeBackground } from '../../support/runs';

const BY_EXPRESSION = '={{ $json.photo }}';
const photo = readFileSync(PHOTO);

describe('with files of other systems,', () => {
	const fixture = useFixture({ echoImages: true });
	const run = async (parameters: object, item: object) => {
		// The service returns each image as it is, so that a second run would get its own result.
		forgetPurchases();
		return await fixture.run(removeBackground(parameters), {
			items: [{ json: {}, ...item } as INodeExecutionData],
		});
	};
	const sentHashes = () => fixture.calls().map(({ files }) => files[0]?.sha256);

	it.each<[what: string, file: (bytes: Buffer) => unknown]>([
		['a Buffer of a database', (bytes) => bytes],
		['a Buffer that was stored as JSON', (bytes) => bytes.toJSON()],
	])('%s is sent byte for byte, by its expression and by its name', async (_what, file) => {
		const json = { photo: file(gif('a')) as IDataObject };
		await run({ binaryPropertyName: BY_EXPRESSION }, { json });
		await run({ binaryPropertyName: 'photo' }, { json });
		await run({ inputType: 'all' }, { json });

		expect(sentHashes()).toStrictEqual(Array(3).fill(sha256(gif('a'))));
		expect(fixture.charged()).toBe(3);
	});

	const BY_NAME = { binaryPropertyName: 'photo' };
	const HOLDERS: Array<[what: string, parameters: object, itemWith: (data: string) => object]> = [
		['an object', BY_NAME, (data) => ({ json: { photo: { data, mimeType: 'image/png' } } })],
		[
			'an object from an expression',
			{ binaryPropertyName: BY_EXPRESSION },
			(data) => ({ json: { photo: { data, mime_type: 'image/png' } } }),
		],
		[
			'an object with a data: address',
			BY_NAME,
			(data) => ({
				json: { photo: { data: `data:image/png;base64,${data}`, mimeType: 'image/png' } },
			}),
		],
		[
			'the answer of a model',
			BY_NAME,
			(data) => ({ json: { photo: { inlineData: { data, mimeType: 'image/png' } } } }),
		],
		[
			'an object among all images',
			{ inputType: 'all' },
			(data) => ({ json: { photo: { data, mimeType: 'image/png' } } }),
		],
		[
			'a file of a Code node',
			BY_NAME,
			(data) => ({ binary: { photo: { data, mimeType: 'image/png' } } }),
		],
		[
			'a file of a Code node with a data: address',
			BY_NAME,
			(data) => ({
				binary: { photo: { data: `data:image/png;base64,${data}`, mimeType: 'image/png' } },
			}),
		],
		[
			'a file of a Code node among all images',
			{ inputType: 'all' },
			(data) => ({ binary: { photo: { data, mimeType: 'image/png' } } }),
		],
	];

	it.each(HOLDERS)(
		'base64 in %s is sent, and refused if a form has made spaces of its plus signs',
		async (_what, parameters, itemWith) => {
			const whole = photo.toString('base64');
			const form = new URLSearchParams(`photo=${whole}`).get('photo') ?? '';
			await run(parameters, itemWith(whole));
			const { error } = await run(parameters, itemWith(form));

			expect(form).toContain(' ');
			expect(sentHashes()).toStrictEqual([sha256(photo)]);
			expect(fixture.charged()).toBe(1);
			expect(error?.message).toMatch(
				/^The file ".+" has spaces where its base64 had plus signs\.$/,
			);
			expect(error?.description).toContain('send each as %2B');
		},
	);
});

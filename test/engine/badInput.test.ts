import type { IBinaryData, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { useFixture } from '../support/fixture';

const fixture = useFixture();

const generate = (more: INodeParameters = {}) => ({
	operation: 'generate',
	prompt: 'A fox',
	...more,
});
const custom = (width: unknown, height: unknown = 512) =>
	generate({ size: 'custom', width, height } as INodeParameters);
const byUrl = (imageUrl: string) => ({ operation: 'removeBackground', inputType: 'url', imageUrl });

const runWith = async (data: IBinaryData) =>
	await fixture.run({ operation: 'removeBackground' }, { items: [{ json: {}, binary: { data } }] });

async function messageFor(parameters: INodeParameters, items?: INodeExecutionData[]) {
	const { error } = await fixture.run(parameters, items && { items });
	expect(fixture.calls()).toEqual([]);
	expect(fixture.charged()).toBe(0);
	// What to do, beginning with a verb.
	expect(error?.description).toMatch(/^(?!Nothing)[A-Z][a-z]+ .*\.$/);
	return error?.message;
}

describe('a file', () => {
	it.each(['constructor', '__proto__'])(
		'named %s is not found in what every object inherits',
		async (binaryPropertyName) => {
			const parameters = { operation: 'removeBackground', binaryPropertyName };

			expect(await messageFor(parameters, [{ json: {}, binary: {} }])).toBe(
				`'Input Data Field Name(s)' is "${binaryPropertyName}", but this item has no such file.`,
			);
		},
	);
});

describe('before any request, the message names the field, the value, what is allowed and what to do for', () => {
	const RULE = '128 to 1536 in steps of 32';

	it.each<[string, INodeParameters, string]>([
		['an empty prompt', generate({ prompt: '={{ "" }}' }), `'Prompt' is empty.`],
		[
			'an empty instruction',
			{
				operation: 'edit',
				inputType: 'url',
				imageUrl: 'https://example.com/a.jpg',
				prompt: '={{ "" }}',
			},
			`'Instruction' is empty.`,
		],
		['a width of 130', custom(130), `'Width' is "130". Allowed: ${RULE}.`],
		[
			'an expression’s size whose width is no multiple of 32',
			generate({ size: '={{ "130x512" }}' }),
			`The width in 'Size' is "130". Allowed: ${RULE}.`,
		],
		[
			'an expression’s size without numbers',
			generate({ size: '={{ "large" }}' }),
			`'Size' is "large". Allowed: square, landscape, wide, portrait, tall, custom, or width x height, such as 640x384, each ${RULE}.`,
		],
		[
			'a quality that does not exist',
			generate({ version: '={{ "best" }}' }),
			`'Quality' is "best". Allowed: standard, hd, genius, super_genius.`,
		],
		[
			'the quality hd for an edit',
			{
				operation: 'edit',
				prompt: 'Blur',
				version: '={{ "hd" }}',
				inputType: 'url',
				imageUrl: 'https://example.com/a.jpg',
			},
			`'Quality' is "hd". Allowed: standard, genius, super_genius.`,
		],
		[
			'a limit of 0 images',
			generate({ options: { maxImages: 0 } }),
			`'Max Images' is "0". Allowed: a whole number, 1 or more.`,
		],
		[
			'a parameter that is neither on nor off',
			generate({ download: '={{ "maybe" }}' }),
			`'Download Image' is "maybe". Allowed: true, false.`,
		],
		[
			'an empty output field',
			generate({ options: { outputPropertyName: ' ' } }),
			`'Put Output File in Field' is empty.`,
		],
		[
			'an image address without http',
			byUrl('example.com/a.jpg'),
			`'Image URL' is "example.com/a.jpg". Allowed: a full address starting with http:// or https://.`,
		],
		[
			'a data: address that holds text',
			byUrl(`data:text/plain;base64,${Buffer.from('hello').toString('base64')}`),
			`The data: address in 'Image URL' is not an image (text/plain).`,
		],
	])('%s', async (_what, parameters, message) => {
		expect(await messageFor(parameters)).toBe(message);
	});
});

describe('a required field left empty in the editor', () => {
	it('is rejected by n8n itself', async () => {
		await expect(fixture.run(generate({ prompt: '' }))).rejects.toThrow('"Prompt" is required');
	});
});

describe('a missing or invalid image is rejected before any request', () => {
	it.each([
		['notes.txt', 'text/plain', 'Just some notes', 'is not an image (text/plain)'],
		[
			'photo.jpg',
			'image/jpeg',
			'<html>Sign in first</html>',
			'claims to be image/jpeg but is not an image',
		],
	])('if the file is not an image: %s', async (name, type, content, why) => {
		const data = await fixture.engine.store(Buffer.from(content, 'latin1'), name, type);
		const { error } = await runWith(data);

		expect(error?.message).toBe(`The file "${name}" ${why}.`);
		expect(error?.description).toBe('Use an image, such as a JPG, PNG or WebP file.');
	});

	it('if n8n no longer has the file', async () => {
		const file = await fixture.file('gone.jpg');
		const gone = { ...file, id: `${file.id ?? ''}-gone` };
		const { error } = await runWith(gone);

		expect(error?.message).toBe('The file "gone.jpg" is no longer in n8n\'s storage.');
		expect(error?.description).toContain('Run the node that outputs it again.');
		expect(fixture.calls()).toEqual([]);
	});

	it('if the file is empty', async () => {
		const data = await fixture.engine.store(Buffer.alloc(0), 'empty.png', 'image/png');
		const { error } = await runWith(data);

		expect(error?.message).toBe('The file "empty.png" is empty.');
		expect(error?.description).toBe('Use a file that is not empty.');
		expect(fixture.calls()).toEqual([]);
	});
});

describe('an expression that cannot be evaluated', () => {
	it('is reported in n8n’s own words, before any request', async () => {
		const { error } = await fixture.run(
			generate({ prompt: '={{ $("Nowhere").item.json.title }}' }),
		);

		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toContain("doesn't exist");
		expect(fixture.calls()).toEqual([]);
	});

	it('affects only its own item, even in the first item’s options', async () => {
		const fileName = '={{ $json.name ?? $("Nowhere").item.json.name }}';
		const { rows } = await fixture.run(generate({ options: { concurrency: 1, fileName } }), {
			items: [{ json: {} }, { json: { name: 'second' } }],
			node: { onError: 'continueRegularOutput' },
		});

		expect(rows.map(({ json }) => typeof json.error)).toEqual(['string', 'undefined']);
		expect(rows[1]?.binary?.data?.fileName).toBe('second.jpg');
		expect(fixture.charged()).toBe(1);
	});
});

describe('a bad item among good ones', () => {
	it('stops the run before the first request, and all bad items are listed', async () => {
		const { error } = await fixture.run(
			{ operation: 'generate', prompt: '={{ $json.title }}' },
			{ items: ['One', '', 'Three', ''].map((title) => ({ json: { title } })) },
		);

		expect(error?.message).toBe(`Item 2: 'Prompt' is empty.`);
		// n8n would add "[item 1]" to the message.
		expect(error?.context?.itemIndex).toBeUndefined();
		expect(error?.description).toContain("These items can't be sent either: 4.");
		expect(fixture.calls()).toEqual([]);
	});

	it('stops the run with up to twenty other bad items listed', async () => {
		const items = Array.from({ length: 22 }, () => ({ json: {} }));
		const { error } = await fixture.run(generate({ prompt: '={{ "" }}' }), { items });

		expect(error?.description).toMatch(/can't be sent either: 2, 3, .*, 20, 21 and 1 more\.$/);
		const { error: one } = await fixture.run(generate({ prompt: '={{ "" }}' }), {
			items: items.slice(1),
		});
		expect(one?.description).toMatch(/can't be sent either: 2, 3, .*, 20, 21\.$/);
	});

	it('becomes an error item with On Error = Continue, and the others are delivered', async () => {
		const { rows } = await fixture.run(
			{ operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' },
			{
				items: ['One', '', 'Three'].map((title) => ({ json: { title } })),
				node: { onError: 'continueRegularOutput' },
			},
		);

		expect(rows.map(({ json }) => json.error)).toEqual([
			undefined,
			`'Prompt' is empty.`,
			undefined,
		]);
		expect(fixture.charged()).toBe(2);
	});
});

describe('the credential', () => {
	it.each<[what: string, includeInputFields: boolean, onError: OnError, skus: unknown[]]>([
		[
			'with only the message with On Error = Continue',
			false,
			'continueRegularOutput',
			[undefined, undefined],
		],
		['with the input’s fields with Include Input Fields', true, 'continueRegularOutput', [1, 2]],
		['with the input’s fields in the error output', false, 'continueErrorOutput', [1, 2]],
	])(
		'is rejected with an error item for each item, %s',
		async (_what, includeInputFields, onError, skus) => {
			const { rows, errorRows } = await fixture.run(generate({ options: { includeInputFields } }), {
				credential: { baseUrl: '', apiKey: 'test-key' },
				items: [{ json: { sku: 1 } }, { json: { sku: 2 } }],
				node: { onError },
			});
			const all = [...rows, ...errorRows];

			expect(all.map(({ json }) => json.error)).toEqual([
				"'Base URL' in the credential is empty.",
				"'Base URL' in the credential is empty.",
			]);
			expect(all.map(({ json }) => json.sku)).toEqual(skus);
			expect(all.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);
});

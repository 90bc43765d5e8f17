import type { INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { CONTINUE, fox, generate, itemsOf, removeBackground } from '../support/runs';

const fixture = useFixture();
const byUrl = (more: object = {}) => ({
	...{ inputType: 'url', imageUrl: 'https://example.com/a.jpg', ...more },
});

describe('before any request, the message names the field, the value, what is allowed and what to do for', () => {
	it.each<[string, object, string]>([
		['an empty prompt', { prompt: '={{ "" }}' }, `'Prompt' is empty.`],
		[
			'an empty instruction',
			{ operation: 'edit', prompt: '={{ "" }}', ...byUrl() },
			`'Instruction' is empty.`,
		],
		[
			'a width of 130',
			{ size: 'custom', width: 130, height: 512 },
			`'Width' is "130". Allowed: 128 to 1536 in steps of 32.`,
		],
		[
			'the quality hd for an edit',
			{ operation: 'edit', prompt: 'Blur', version: '={{ "hd" }}', ...byUrl() },
			`'Quality' is "hd". Allowed: standard, genius, super_genius.`,
		],
		[
			'a parameter that is neither on nor off',
			{ download: '={{ "maybe" }}' },
			`'Download Image' is "maybe". Allowed: true, false.`,
		],
		[
			'an empty output field',
			{ options: { outputPropertyName: ' ' } },
			`'Put Output File in Field' is empty.`,
		],
		[
			'eleven images',
			{ options: { numberOfImages: 11 } },
			`'Number of Images' is "11". Allowed: a whole number from 1 to 10.`,
		],
		[
			'an image address without http',
			removeBackground(byUrl({ imageUrl: 'example.com/a.jpg' })),
			`'Image URL' is "example.com/a.jpg". Allowed: a full address starting with http:// or https://.`,
		],
		[
			'a data: address that holds text',
			removeBackground(byUrl({ imageUrl: 'data:text/plain;base64,aGVsbG8=' })),
			`The data: address in 'Image URL' is not an image (text/plain).`,
		],
		...['constructor', '__proto__'].map((binaryPropertyName): [string, object, string] => [
			`a file named ${binaryPropertyName}, which every object inherits`,
			removeBackground({ binaryPropertyName }),
			`'Input Data Field Name(s)' is "${binaryPropertyName}", but this item has no such file.`,
		]),
	])('%s', async (_what, parameters, message) => {
		const { error } = await fixture.run({ ...fox(), ...parameters } as INodeParameters);

		expect(error?.message).toBe(message);
		// What to do, beginning with a verb.
		expect(error?.description).toMatch(/^(?!Nothing)[A-Z][a-z]+ .*\.$/);
		expect(fixture.calls()).toEqual([]);
	});
});

it('a required field left empty in the editor is rejected by n8n itself', async () => {
	await expect(fixture.run({ ...fox(), prompt: '' })).rejects.toThrow('"Prompt" is required');
});

describe('a missing or invalid image is rejected before any request', () => {
	const store = async (name: string, type: string, content: string) =>
		await fixture.engine.store(Buffer.from(content), name, type);

	it.each([
		[
			'it is text',
			async () => await store('notes.txt', 'text/plain', 'Just some notes'),
			'The file "notes.txt" is not an image (text/plain).',
			'Use an image, such as a JPG, PNG or WebP file.',
		],
		[
			'it only claims to be an image',
			async () => await store('photo.jpg', 'image/jpeg', '<html>Sign in first</html>'),
			'The file "photo.jpg" claims to be image/jpeg but is not an image.',
			'Use an image, such as a JPG, PNG or WebP file.',
		],
		[
			'n8n no longer has it',
			async () => ({ ...(await fixture.file('gone.jpg')), id: 'filesystem-v2:gone' }),
			'The file "gone.jpg" is no longer in n8n\'s storage.',
			'Run the node that outputs it again.',
		],
		[
			'it is empty',
			async () => await store('empty.png', 'image/png', ''),
			'The file "empty.png" is empty.',
			'Use a file that is not empty.',
		],
	])('if %s', async (_why, file, message, advice) => {
		const items = [{ json: {}, binary: { data: await file() } }];
		const { error } = await fixture.run(removeBackground(), { items });

		expect(error?.message).toBe(message);
		expect(error?.description).toContain(advice);
		expect(fixture.calls()).toEqual([]);
	});
});

describe('an expression that cannot be evaluated', () => {
	it('is reported in n8n’s own words, before any request', async () => {
		const prompt = '={{ $("Nowhere").item.json.title }}';
		const { error } = await fixture.run({ ...fox(), prompt });

		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toContain("doesn't exist");
		expect(fixture.calls()).toEqual([]);
	});

	it('affects only its own item, even in the first item’s options', async () => {
		const fileName = '={{ $json.title ?? $("Nowhere").item.json.name }}';
		const includeInputFields = `={{ $json.title !== undefined || $("Nowhere").item.json.name }}`;
		const { rows } = await fixture.run(fox({ concurrency: 1, fileName, includeInputFields }), {
			items: [{ json: {} }, ...itemsOf('second')],
			node: CONTINUE,
		});

		expect(rows.map(({ json }) => typeof json.error)).toEqual(['string', 'undefined']);
		expect(rows[1]?.binary?.data?.fileName).toBe('second.jpg');
		expect(fixture.charged()).toBe(1);
	});
});

describe('a bad item among good ones', () => {
	it('stops the run before the first request, and all bad items are listed', async () => {
		const { error } = await fixture.run(generate(), { items: itemsOf('One', '', 'Three', '') });

		expect(error?.message).toBe(`Item 2: 'Prompt' is empty.`);
		// n8n would add "[item 1]" to the message.
		expect(error?.context?.itemIndex).toBeUndefined();
		expect(error?.description).toContain("These items can't be sent either: 4.");
		expect(fixture.calls()).toEqual([]);
	});

	it('becomes an error item with On Error = Continue, and the others are delivered', async () => {
		const items = itemsOf('One', '', 'Three');
		const { rows } = await fixture.run(generate(), { items, node: CONTINUE });

		const errors = rows.map(({ json }) => json.error);
		expect(errors).toEqual([undefined, `'Prompt' is empty.`, undefined]);
		expect(fixture.charged()).toBe(2);
	});
});

it('an invalid credential gives an error item for each item, with its fields if they are included', async () => {
	const { rows } = await fixture.run(
		generate({ includeInputFields: '={{ $json.title === "2" }}' }),
		{
			credential: { baseUrl: '', apiKey: 'test-key' },
			items: itemsOf('1', '2'),
			node: CONTINUE,
		},
	);

	const error = "'Base URL' in the credential is empty.";
	expect(rows.map(({ json, pairedItem }) => [json.error, json.title, pairedItem])).toEqual([
		[error, undefined, { item: 0 }],
		[error, '2', { item: 1 }],
	]);
});

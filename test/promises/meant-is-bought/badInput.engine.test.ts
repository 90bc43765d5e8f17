import { ExecuteContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { CONTINUE, fox, generate, itemsOf, removeBackground } from '../../support/runs';

const fixture = useFixture();

describe('before any request, the message says what to do, and', () => {
	it.each<[message: string, parameters: object]>([
		[`'Prompt' is empty.`, { prompt: '={{ "" }}' }],
		// A name that every object inherits.
		['This item has no files.', removeBackground({ binaryPropertyName: '__proto__' })],
	])('names the field and what is allowed: %s', async (message, parameters) => {
		const { error } = await fixture.run({ ...fox(), ...parameters } as INodeParameters);

		expect(error?.message).toBe(message);
		// What to do, beginning with a verb.
		expect(error?.description).toMatch(/^(?!Nothing)[A-Z][a-z]+ .*\.$/);
		expect(fixture.calls()).toStrictEqual([]);
	});

	const OTHER = 'Use an image, such as a JPG, PNG or WebP file.';
	const AGAIN = 'Run the node that outputs it again.';
	it.each([
		['notes.txt', 'text/plain', 'Just notes', 'is text, not an image.', OTHER],
		['empty.png', 'image/png', '', 'is empty.', 'Use a file that is not empty.'],
		['gone.jpg', 'image/jpeg', null, "is no longer in n8n's storage.", AGAIN],
	])('names the file: %s, %s, %j %s', async (name, type, content, problem, advice) => {
		const stored = await fixture.engine.store(Buffer.from(content ?? 'x'), name, type);
		const data = content === null ? { ...stored, id: 'filesystem-v2:gone' } : stored;
		const items = [{ json: {}, binary: { data } }];
		const { error } = await fixture.run(removeBackground(), { items });

		expect(error?.message).toBe(`The file "${name}" ${problem}`);
		expect(error?.description).toContain(advice);
		expect(fixture.calls()).toStrictEqual([]);
	});
});

it('a required field left empty in the editor is rejected by n8n itself', async () => {
	await expect(fixture.run({ ...fox(), prompt: '' })).rejects.toThrow('"Prompt" is required');
});

describe('an expression that cannot be evaluated', () => {
	it('is reported in n8n’s own words, before any request', async () => {
		const prompt = '={{ $("Nowhere").item.json.title }}';
		const { error } = await fixture.run({ ...fox(), prompt });

		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toContain("doesn't exist");
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('affects only its own item, even in the first item’s options', async () => {
		const fileName = '={{ $json.title ?? $("Nowhere").item.json.name }}';
		const includeInputFields = `={{ $json.title !== undefined || $("Nowhere").item.json.name }}`;
		const { rows } = await fixture.run(fox({ concurrency: 1, fileName, includeInputFields }), {
			items: [{ json: {} }, ...itemsOf('second')],
			node: CONTINUE,
		});

		expect(rows.map(({ json }) => typeof json.error)).toStrictEqual(['string', 'undefined']);
		expect(rows[1]?.binary?.data?.fileName).toBe('second.jpg');
		expect(fixture.charged()).toBe(1);
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

	const error = expect.stringContaining("'Base URL' in the credential") as string;
	expect(rows.map(({ json, pairedItem }) => [json.error, json.title, pairedItem])).toStrictEqual([
		[error, undefined, { item: 0 }],
		[error, '2', { item: 1 }],
	]);
});

// Imitates an n8n older than any that can be installed here, and a Node.js older than 20.12.
it.each([
	['getExecutionCancelSignal', Object.getPrototypeOf(ExecuteContext.prototype) as object],
	['hash', jest.requireActual<object>('node:crypto')],
])('an n8n without %s is rejected before any request', async (name, owner) => {
	const whole = Object.getOwnPropertyDescriptor(owner, name) ?? {};
	Object.defineProperty(owner, name, { ...whole, value: undefined });
	const { error } = await fixture.run(fox()).finally(() => {
		Object.defineProperty(owner, name, whole);
	});

	expect(error?.message).toBe(
		'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
	);
	expect(error?.description).toBe('Nothing was sent. Update n8n.');
	expect(fixture.calls()).toStrictEqual([]);
});

import { readFileSync } from 'node:fs';
import type { INodeExecutionData, INodeParameters, INodeProperties } from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { PHOTO, useFixture } from '../support/fixture';
import { codesIn, sectionsIn, tablesIn } from '../support/markdown';
import { runWorkflow, TYPE } from '../support/runWorkflow';
import { text } from '../support/text';

const { properties } = new ImageGeneration().description;
const fixture = useFixture();
const recipes = sectionsIn(readFileSync('docs/recipes.md', 'utf8'), 2);

type Items = INodeExecutionData[];

/** The parameters in a recipe's table, as n8n would save them. */
function parametersOf(rows: Array<Record<string, string>>): INodeParameters {
	const parameters: INodeParameters = {};
	const options: INodeParameters = {};
	for (const { Field = '', Value = '' } of rows) {
		const [value = ''] = codesIn(Value);
		const inOptions = fieldOf(Field, optionFields());
		const field = inOptions ?? fieldOf(Field, properties);
		if (field === undefined) throw new Error(`There is no field ${Field}`);
		(inOptions ? options : parameters)[field.name] = valueFor(field, value);
	}
	return { ...parameters, options };
}

const optionFields = () => (fieldOf('Options', properties)?.options ?? []) as INodeProperties[];
const fieldOf = (name: string, fields: INodeProperties[]) =>
	fields.find(({ displayName }) => displayName === name);

function valueFor({ type, options = [] }: INodeProperties, value: string) {
	if (value.includes('{{')) return `=${value}`;
	if (type === 'boolean') return value === 'on';
	const chosen = options.find(({ name }) => name === value);
	return chosen !== undefined && 'value' in chosen ? chosen.value : value;
}

const cooked = new Set<string>();

/** Runs a recipe with items from a form and returns what the next node receives. */
async function cook(recipe: string, items: Items, table = 0): Promise<Items> {
	cooked.add(recipe);
	const rows = tablesIn(recipes.get(recipe) ?? '')[table];
	if (rows === undefined) throw new Error(`There is no recipe ${recipe}, or no such table in it`);
	const form = { ...stock('On form submission'), type: 'n8n-nodes-base.formTrigger' };
	const node = {
		...stock('Image Generation'),
		type: TYPE,
		parameters: parametersOf(rows),
		credentials: { imageGenerationApi: { id: '1', name: 'Sandbox' } },
	};
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const { received, error } = await runWorkflow(
		{
			nodes: [form, node, { ...stock('Next'), type: 'n8n-nodes-base.noOp' }],
			connections: { [form.name]: to(node.name), [node.name]: to('Next') },
			settings: { executionOrder: 'v1' },
		},
		fixture.credential,
		{ [form.name]: () => [items] },
	);
	expect(error).toBeUndefined();
	return received.get('Next') ?? [];
}

function stock(name: string) {
	return { id: name, name, typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
}

const fileNames = (rows: Items) => rows.map(({ binary }) => binary?.data?.fileName);
const sizes = () => fixture.calls().map(({ fields }) => `${fields.width}x${fields.height}`);

describe('the recipe', () => {
	it('Check everything for free', async () => {
		const items = ['A fox', 'A lake'].map((title) => ({ json: { title } }));
		const rows = await cook('Check everything for free', items);
		expect(fileNames(rows)).toEqual([undefined, undefined]);
		expect(rows.map(({ json }) => json.fileName)).toEqual(['a-fox', 'a-lake']);
		expect(fixture.calls()).toEqual([]);
	});

	it('A budget', async () => {
		const items = Array.from({ length: 21 }, (_, n) => ({ json: { title: `Fox ${n}` } }));
		await expect(cook('A budget', items)).rejects.toThrow();
		expect(fixture.calls()).toEqual([]);
		await cook('A budget', items.slice(0, 2));
		expect(fixture.calls()).toHaveLength(2);
	});

	it('Name the file after the input', async () => {
		const items = [{ json: { title: 'Why Foxes Are Red', sku: 'F-17' } }];
		expect(fileNames(await cook('Name the file after the input', items))).toEqual(['F-17-1.jpg']);
		const slug = await cook('Name the file after the input', items, 1);
		expect(fileNames(slug)).toEqual(['why-foxes-are-red.jpg']);
	});

	it('A prompt from several fields', async () => {
		await cook('A prompt from several fields', [{ json: { color: 'red', product: 'bicycle' } }]);
		expect(fixture.calls()[0]?.fields.text).toBe('A red bicycle on a white table, morning light');
	});

	it('The size by aspect ratio', async () => {
		const ratios = ['16:9', '9:16', '3:4', '1:1'];
		const listed = ratios.map((ratio) => ({ json: { title: ratio, ratio } }));
		await cook('The size by aspect ratio', listed);
		expect(sizes().sort()).toEqual(['1024x576', '512x512', '576x1024', '768x1024']);
		const sides = [
			{ width: 1920, height: 1080 },
			{ width: 4000, height: 100 },
		];
		const computed = sides.map((json) => ({ json: { title: 'A fox', ...json } }));
		await cook('The size by aspect ratio', computed, 1);
		expect(sizes().slice(4).sort()).toEqual(['1024x128', '1024x576']);
	});

	it('Higher quality for some items only', async () => {
		const items = [true, false].map((isCover) => ({ json: { title: 'A fox', isCover } }));
		await cook('Higher quality for some items only', items);
		const versions = fixture.calls().map(({ fields }) => fields.image_generator_version);
		expect(versions.sort()).toEqual(['standard', 'super_genius']);
	});

	it('All attachments of an email', async () => {
		const photo = await fixture.file('holiday.jpg');
		const rows = await cook('All attachments of an email', [
			{ json: {}, binary: { attachment_0: photo, attachment_1: photo } },
		]);
		expect(fileNames(rows)).toEqual(['holiday-no-background.png', 'holiday-no-background-2.png']);
	});

	it('Several photos from a form', async () => {
		const photo = await fixture.file('me.jpg');
		const pdf = await fixture.engine.store(Buffer.from('%PDF-1.7'), 'me.pdf', 'application/pdf');
		const rows = await cook('Several photos from a form', [
			{ json: { wish: 'Blur it' }, binary: { Photos_0: photo, Photos_1: pdf, Photos_2: photo } },
		]);
		expect(fileNames(rows)).toEqual(['me-edited.jpg', 'me-edited-2.jpg']);
	});

	it('A nightly folder', async () => {
		// Other recipes have bought the usual photo.
		const photo = Buffer.concat([readFileSync(PHOTO), Buffer.from('at night')]);
		const night = async (name: string) => {
			const data = await fixture.engine.store(photo, name, 'image/jpeg');
			return fileNames(await cook('A nightly folder', [{ json: {}, binary: { data } }]));
		};
		await night('one.jpg');
		// The same photo: files are compared by content, not by name.
		expect(await night('two.jpg')).toEqual(['two-no-background.png']);
		expect(fixture.calls()).toHaveLength(1);
	});

	it('Several images from one prompt', async () => {
		const rows = await cook('Several images from one prompt', [{ json: { title: 'A fox' } }]);
		expect(rows.map(({ json }) => json.copy)).toEqual([1, 2, 3]);
	});

	it('An image from an earlier node', async () => {
		const photo = await fixture.file('me.jpg');
		await cook('An image from an earlier node', [{ json: { wish: 'Blur it' }, binary: { photo } }]);
		expect(fixture.calls()[0]).toMatchObject({
			fields: { text: 'Blur it' },
			files: [{ fileName: 'me.jpg' }],
		});
	});

	it('A file if there is one, otherwise a link', async () => {
		const photo = await fixture.file('me.jpg');
		const [made] = await cook('A prompt from several fields', [{ json: {} }]);
		const link = text(made?.json.output_url);
		const rows = await cook('A file if there is one, otherwise a link', [
			{ json: {}, binary: { photo } },
			{ json: { link } },
		]);
		expect(fileNames(rows)).toEqual(['me-no-background.png', 'output-no-background.png']);
	});

	it('Several steps with one download', async () => {
		const [made] = await cook('A prompt from several fields', [{ json: {} }]);
		const rows = await cook('Several steps with one download', [{ json: made?.json ?? {} }]);
		expect(fileNames(rows)).toEqual(['output-no-background.png']);
		expect(fixture.calls().at(-1)?.fields).toEqual({ image: made?.json.output_url });
	});

	it('A sheet of prompts, with links back into its rows', async () => {
		const [row] = await cook('A sheet of prompts, with links back into its rows', [
			{ json: { prompt: 'A fox', row_number: 2 } },
		]);
		expect(row).toMatchObject({ json: { output_url: expect.any(String) as string } });
		expect(row?.binary).toBeUndefined();
	});

	it("Keep the input's fields", async () => {
		const items = [{ json: { title: 'A fox', sku: 'F-17' } }];
		const [row] = await cook("Keep the input's fields", items);
		expect(row?.json).toMatchObject({ sku: 'F-17', output_url: expect.any(String) as string });
	});

	it('list in docs/recipes.md is tested completely', () => {
		expect([...cooked]).toEqual([...recipes.keys()]);
	});
});

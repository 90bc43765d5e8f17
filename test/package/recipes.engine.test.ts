import { readFileSync } from 'node:fs';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { useFixture } from '../support/fixture';
import { gif } from '../support/images';
import { codesIn, sectionsIn } from '../support/markdown';
import { marked, namesOf } from '../support/runs';

const { properties } = new ImageGeneration().description;
const fixture = useFixture();
const recipes = sectionsIn(readFileSync('docs/recipes.md', 'utf8'), 2);
const fieldOf = (name: string, fields: INodeProperties[]) =>
	fields.find(({ displayName }) => displayName === name);
const optionFields = (fieldOf('Options', properties)?.options ?? []) as INodeProperties[];

/** What the page leaves out where a recipe says nothing else. */
const USUAL = { operation: 'generate', prompt: '={{ $json.title }}' };

/** A recipe's lists of fields: `- **Field:** \`value\`` */
function listsIn(recipe: string): string[][] {
	return recipe
		.split('\n\n')
		.map((paragraph) => paragraph.trim().split('\n'))
		.filter((lines) => lines.every((line) => ENTRY.test(line)));
}

const ENTRY = /^- \*\*(.+):\*\* (`.+`)$/;

/** The parameters in a recipe's list, as n8n would save them. */
function parametersOf(lines: string[]): INodeParameters {
	const parameters: INodeParameters = { ...USUAL };
	const options: INodeParameters = {};
	for (const line of lines) {
		const [, name = '', code = ''] = ENTRY.exec(line) ?? [];
		const [value = ''] = codesIn(code);
		const inOptions = fieldOf(name, optionFields);
		const field = inOptions ?? fieldOf(name, properties);
		if (field === undefined) throw new Error(`There is no field ${name}`);
		(inOptions ? options : parameters)[field.name] = valueFor(field, value);
	}
	return { ...parameters, options };
}

function valueFor({ type, options = [] }: INodeProperties, value: string) {
	// The engine's first node has another name.
	if (value.includes('{{')) return `=${value.replaceAll('On form submission', 'Items')}`;
	if (type === 'boolean') return value === 'on';
	const chosen = options.find(({ name }) => name === value);
	return chosen !== undefined && 'value' in chosen ? chosen.value : value;
}

const cooked = new Set<string>();

/** Runs a recipe with items of these fields, or with files. @returns its output items */
async function cook(recipe: string, items: Array<IDataObject | INodeExecutionData>, list = 0) {
	cooked.add(recipe);
	if (!recipes.has(recipe)) throw new Error(`There is no recipe ${recipe}`);
	const fields = listsIn(recipes.get(recipe) ?? '')[list] ?? [];
	const { rows, error } = await fixture.run(parametersOf(fields), {
		items: items.map((item) => ('json' in item ? (item as INodeExecutionData) : { json: item })),
	});
	if (error) throw error;
	return rows;
}

describe('the recipe', () => {
	it.each<[recipe: string, table: number, items: IDataObject[], requests: object[]]>([
		[
			'The size by aspect ratio',
			0,
			['16:9', '9:16', '3:4', '1:1'].map((ratio) => ({ title: ratio, ratio })),
			[
				{ text: '16:9', width: '1024', height: '576' },
				{ text: '9:16', width: '576', height: '1024' },
				{ text: '3:4', width: '768', height: '1024' },
				{ text: '1:1', width: '512', height: '512' },
			],
		],
		[
			'One image for each entry of a list of prompts',
			0,
			// As Split Out gives them.
			[{ prompts: 'A fox' }, { prompts: 'A lake' }],
			[{ text: 'A fox' }, { text: 'A lake' }],
		],
	])('%s, table %i', async (recipe, table, items, requests) => {
		await cook(recipe, items, table);

		const fields = fixture.calls().map((call) => call.fields);
		expect(fields).toHaveLength(requests.length);
		for (const request of requests) expect(fields).toContainEqual(expect.objectContaining(request));
	});

	it.each<[table: number, item: IDataObject, file: string]>([
		[0, { title: 'A fox', sku: 'F-17' }, 'F-17-1.jpg'],
		[1, { title: 'Why a Fox?' }, 'why-a-fox.jpg'],
		[1, { title: 'Красная лиса' }, 'красная-лиса.jpg'],
	])('Name the file after the input, table %i, for %j', async (table, item, file) => {
		expect(namesOf(await cook('Name the file after the input', [item], table))).toStrictEqual([
			file,
		]);
	});

	it('An image from an earlier node', async () => {
		const item = { json: { wish: 'Blur it' }, binary: { photo: await fixture.file('me.jpg') } };

		expect(namesOf(await cook('An image from an earlier node', [item]))).toStrictEqual([
			marked('me-edited'),
		]);
	});

	it('Attachments without logos', async () => {
		const store = async (name: string, bytes: Buffer, type: string) =>
			await fixture.engine.store(bytes, name, type);
		const binary = {
			attachment_0: await store('logo.gif', gif('logo'), 'image/gif'),
			attachment_1: await fixture.file('me.jpg'),
			attachment_2: await store('bill.pdf', Buffer.alloc(30_000, '%PDF-1.7'), 'application/pdf'),
		};
		const rows = await cook('Attachments without logos', [{ json: {}, binary }]);

		expect(namesOf(rows)).toStrictEqual([marked('me-no-background', 'png')]);
		expect(fixture.charged()).toBe(1);
	});

	it('Photos from Airtable or Notion, every night', async () => {
		// The same two photos, which are other files of n8n each night.
		const night = async () => {
			const binary = { Photo_0: await fixture.file('me.jpg'), Photo_1: await fixture.gif('dot') };
			return await cook('Photos from Airtable or Notion, every night', [{ json: {}, binary }]);
		};
		const first = await night();

		expect((await night()).map(({ json }) => json)).toStrictEqual(first.map(({ json }) => json));
		expect(fixture.charged()).toBe(2);
	});

	it.each(['One image to several channels', 'An approval before publishing', 'Instagram'])(
		'%s',
		async (recipe) => {
			const rows = await cook(recipe, [{ title: 'A fox' }]);
			expect(namesOf(rows)).toStrictEqual([marked('a-fox')]);
		},
	);

	it('A limit from your data', async () => {
		const items = [
			{ title: 'A fox', credits: 1 },
			{ title: 'A lake', credits: 1 },
		];
		const rows = await cook('A limit from your data', items);
		expect(rows.map(({ json }) => json.credits)).toStrictEqual([1, 1]);
		expect(fixture.charged()).toBe(0);
	});

	it('A watched folder', async () => {
		await cook('A watched folder', [await fixture.photo('one.jpg')]);
		// The same photo: files are compared by content, not by name.
		const rows = await cook('A watched folder', [await fixture.photo('two.jpg')]);
		expect(namesOf(rows)).toStrictEqual([marked('two-no-background', 'png')]);
		expect(fixture.calls()).toHaveLength(1);
	});

	it('A file if there is one, otherwise a link', async () => {
		const photo = await fixture.file('me.jpg');
		const [made] = await cook('Name the file after the input', [{ title: 'A fox' }]);
		const items = [{ json: {}, binary: { photo } }, { link: made?.json.output_url }];
		const rows = await cook('A file if there is one, otherwise a link', items);
		expect(namesOf(rows)).toStrictEqual([
			marked('me-no-background', 'png'),
			marked('output-no-background', 'png'),
		]);
	});

	it('list in docs/recipes.md is tested completely', () => {
		expect(cooked).toStrictEqual(new Set(recipes.keys()));
	});
});

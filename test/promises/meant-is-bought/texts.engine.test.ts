import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { runInAgent } from '../../support/runInAgent';
import { AS_TOOL, CONTINUE, fox, hintsOf, removeBackground } from '../../support/runs';

const fixture = useFixture();
const rowsOf = (...rows: IDataObject[]): INodeExecutionData[] => rows.map((json) => ({ json }));
const run = async (prompt: string, ...rows: IDataObject[]) =>
	await fixture.run({ ...fox(), prompt }, { items: rowsOf(...rows), node: CONTINUE });
const sent = () => fixture.calls().map(({ fields }) => fields.text);

/** Why a prompt is refused for an item, and what to do; nothing may be sent. */
async function refusalOf(prompt: string, row: IDataObject) {
	const [first] = (await run(prompt, row)).rows;
	if (fixture.calls().length > 0) throw new Error('It was sent.');
	const { advice } = (first?.json.details ?? {}) as { advice?: string };
	return { message: first?.json.error, advice };
}

const TAGS = { tags: [{ name: 'red' }, { name: 'blue' }] };
const PHOTO = '=A product photo of {{ $json.title }} in {{ $json.color }} on white';

describe('a text in Fixed that n8n was to fill in', () => {
	const TITLE = '{{ $json.title }}';
	const ofField = (name: string, value: string) =>
		fox({ additionalFields: { field: [{ name, value }] } });

	it.each<[field: string, parameters: object]>([
		["'Prompt'", { ...fox(), prompt: `Product photo of a ${TITLE}` }],
		["'Prompt'", { ...fox(), prompt: '{{ $("Form").item.json.title }}' }],
		["'Negative Prompt'", fox({ negativePrompt: `no ${TITLE}` })],
		["'File Name'", fox({ fileName: TITLE })],
		["'Put Output File in Field'", fox({ outputPropertyName: TITLE })],
		["'Image URL'", removeBackground({ inputType: 'url', imageUrl: TITLE })],
		["'Input Data Field Name(s)'", removeBackground({ binaryPropertyName: '{{ $binary.data }}' })],
		["A value in 'Additional Fields'", ofField('seed', TITLE)],
	])('is refused before it costs anything, for every item: %s', async (field, parameters) => {
		const items = rowsOf({ title: 'mug' }, { title: 'cup' }, { title: 'jar' });
		const { rows } = await fixture.run({ ...parameters }, { items, node: CONTINUE });

		expect(rows).toHaveLength(3);
		expect(rows[0]?.json.error).toMatch(/^.+ contains {{ .+ }} as plain text/);
		expect(rows[0]?.json.error).toContain(field);
		expect(JSON.stringify(rows[0])).toContain("from 'Fixed' to 'Expression'");
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each([
		['Cake for {{title}}', '{{ $json.title }}'],
		['Cake for {{1.title}}', '{{ $json.title }}'],
		['Cake for {{ json.TITLE }}', '{{ $json.title }}'],
		['Cake for {{ shelf mark }}', '{{ $json["Shelf mark"] }}'],
	])(
		'is refused with the expression to write, as other tools name fields: %s',
		async (prompt, write) => {
			const { advice } = await refusalOf(prompt, { title: 'mug', 'Shelf mark': 'A7' });

			expect(advice).toContain(
				`Switch the field from 'Fixed' to 'Expression', and write ${write}.`,
			);
		},
	);

	it('is bought if its braces enclose nothing, or if an expression returned it', async () => {
		const texts = ['a {{ $', 'a }} {{ b', '{"style": {"of": "mug"}}'];
		for (const text of texts) await run(text, {});
		await run('={{ $json.title }}', { title: 'a sign {{ $json.x }}' });

		expect(sent()).toStrictEqual([...texts, 'a sign {{ $json.x }}']);
	});
});

it.each(['=A photo of {{ $json.title }} }}', '=A photo of {{ $json.title }}}} on white'])(
	'a text with closing braces too many is refused, because n8n adds them by itself: %s',
	async (prompt) => {
		const { message, advice } = await refusalOf(prompt, { title: 'mug' });

		expect(message).toBe("'Prompt' has }} too many after {{ $json.title }}.");
		expect(advice).toContain('put a space between them');
	},
);

describe('a text whose expressions found nothing', () => {
	it.each<[what: string, row: IDataObject]>([
		['empty text', { title: '', color: '' }],
		['null', { title: null, color: null }],
		['no such field', { name: 'mug' }],
		['spaces', { title: '  ', color: ' \n' }],
		['no fields at all, as behind Always Output Data', {}],
	])('is refused, and names them: %s', async (_what, row) => {
		const { message, advice } = await refusalOf(PHOTO, row);

		expect(message).toBe(
			`'Prompt' is only "A product photo of in on white", because its expressions found nothing.`,
		);
		expect(advice).toMatch(/{{ \$json\.title }} and {{ \$json\.color }}/);
	});

	it.each<[prompt: string, row: IDataObject, message: string, advice: string]>([
		[
			'=A photo of {{ $json.titel }}',
			{ sku: 7, title: 'mug' },
			'is only "A photo of", because its expression found nothing.',
			"Check {{ $json.titel }} (the item has 'sku' and 'title'), or filter out items without a value",
		],
		['=A mug {{ $json.a }}', { a: '\u200b\u00ad' }, 'is only "A mug', "(the item has 'a')"],
		['={{ $json.titel }}', { title: 'mug' }, "'Prompt' is empty.", "(the item has 'title')"],
	])('is refused with what to check: %s', async (prompt, row, words, check) => {
		const { message, advice } = await refusalOf(prompt, row);

		expect(message).toContain(words);
		expect(advice).toContain(check);
	});

	it.each([
		'$json.title.slice(0, 50)',
		'$json.title || $json.name',
		'JSON.stringify($json.title)',
		'$json.price * 2',
		'title',
	])('is refused if its author did not write what it is then: {{ %s }}', async (code) => {
		const { message, advice } = await refusalOf(`=A photo of {{ ${code} }} on white`, {});

		expect(message).toContain('is only "A photo of on white"');
		expect(advice).toContain('An expression that may find nothing says so');
	});

	it.each([
		'={{ $json.title + " in " + $json.color }}',
		'={{ "A photo of " + $json.title + " in " + ($json.color ?? "red") }}',
		'=A photo {{ `of ${$json.title}, ${$json.kind}` }}',
		'={{ "For " + $json.price * 2 + " euros" }}',
		'=Draw {{ $json.kind + ", " + $json.title }}',
		'={{ $json.kind.replace("#WOW!", $json.title) }}',
		'={{ $json.kind.concat(" of ", $json.title) }}',
	])('is refused if JavaScript wrote words for it: %s', async (prompt) => {
		const row = { kind: '#WOW! null island', sku: 7 };
		const { message, advice } = await refusalOf(prompt, row);

		expect(message).toMatch(/^{{ .+ }} in 'Prompt' is ".*", where "(?:undefined|NaN)" is no value/);
		expect(advice).toContain("the item has 'kind' and 'sku'");
	});

	it.each<[field: string, options: object]>([
		['Negative Prompt', { negativePrompt: '=no {{ $json.avoid }}' }],
		['File Name', { fileName: '=photo-{{ $json.sku }}' }],
		[
			"A value in 'Additional Fields'",
			{ additionalFields: { field: [{ name: 'style', value: '=in {{ $json.style }}' }] } },
		],
	])('is refused in an option: %s', async (field, options) => {
		const { error } = await fixture.run(fox(options));

		expect(error?.message).toContain(field);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each([
		'$json.a || ""',
		"$json.a ?? 'b'",
		'$json.a ? $json.b : ""',
		'$json.a?.b ? " in " + $json.a.b : undefined',
		'$if($json.a, $json.b, "")',
		'$ifEmpty($json.a, "")',
	])('is bought if its author wrote what it is then: {{ %s }}', async (code) => {
		const result = await run(`=A fox {{ ${code} }}`, {});

		expect(sent()).toStrictEqual([expect.stringMatching(/^A fox b?$/)]);
		expect(hintsOf(result)).toStrictEqual(['1 image was bought.']);
	});

	it.each<[prompt: string, row: IDataObject, text: string]>([
		[
			'={{ "Draw " + $json.title + ($json.x ?? "") }}',
			{ title: 'a null island' },
			'Draw a null island',
		],
		['={{ "Draw " + $json.tags.join(" ") }}', { tags: ['undefined', 'fox'] }, 'Draw undefined fox'],
		['={{ "#SALE! " + $json.title }}', { title: 'mug' }, '#SALE! mug'],
		['={{ "A fox" }}', {}, 'A fox'],
		['=A {{ $json.tags.join(" fox") }}', { tags: ['', ''] }, 'A  fox'],
	])('is told from one that found something: %s', async (prompt, row, text) => {
		await run(prompt, row);

		expect(sent()).toStrictEqual([text]);
	});
});

it('a text of which some expressions found nothing is bought, and a hint names those', async () => {
	const rows = [
		{ title: 'mug', color: 'red' },
		{ title: 'cup', color: ' ' },
		{ color: '\u200bblue' },
	];
	const result = await run(PHOTO, ...rows);

	expect(fixture.charged()).toBe(3);
	expect(hintsOf(result)).toStrictEqual([
		'3 images were bought.',
		"{{ $json.color }} in 'Prompt' found nothing for Item 2, &quot;A product photo of cup in on white&quot;. " +
			'So did 1 more of the expressions.',
	]);
});

describe('a value that is none', () => {
	it.each([
		'#REF!',
		'#N/A',
		'#DIV/0!',
		'#NAME?',
		'#WERT!',
		'#¡VALOR!',
		'#ЗНАЧ!',
		'Invalid DateTime',
		'undefined',
		'null',
		'NaN',
	])('is refused as a text, within one, and in Fixed: %s', async (title) => {
		const whole = await refusalOf('={{ $json.title }}', { title });
		const within = await refusalOf('=A photo of {{ $json.title }}', { title });
		const typed = await refusalOf(title, {});

		expect([whole, within, typed].map(({ message }) => message)).toStrictEqual([
			expect.stringContaining(`'Prompt' is "${title}", which is no value.`),
			expect.stringContaining(`{{ $json.title }} in 'Prompt' is "${title}"`),
			`'Prompt' is "${title}", which is no value.`,
		]);
	});

	it.each<[prompt: string, row: IDataObject, message: RegExp]>([
		['={{ Number("x") }}', {}, /'Prompt' is ".+", which is no value\.$/],
		['=A photo of {{ $json }}', { a: 1 }, /'Prompt' is "\[object Object\]", which is no value\.$/],
		['=A mug in {{ $json.tags }}', TAGS, /where "\[object Object\]" is no value\.$/],
		['={{ $json.tags.join(", ") }}', TAGS, /where "\[object Object\]" is no value\.$/],
		['=Page {{ DateTime.fromISO($json.a).toFormat("dd") }}', {}, /Invalid Date/],
		['={{ `Page of ${new Date($json.date).toDateString()}` }}', {}, /Invalid Date/],
		['={{ $json.title && $json.color }}', { title: false }, /must be text, but is "false"\.$/],
		['={{ $json.title }}', { title: '\u200b\u00ad ' }, /^'Prompt' is empty\.$/],
		['\u3164', {}, /^'Prompt' is empty\.$/],
		['={{ $json.title }}', { title: '...' }, /is "\.\.\.", which has no letter or digit\.$/],
		['={{ $json.title }}', { title: '🦊🌲' }, /which has no letter or digit\.$/],
		['={{ $json.title }}', { title: ' /help@picture_bot ' }, /is a command of a chat/],
	])('is refused if an expression returns it: %s, %j', async (prompt, row, message) => {
		expect((await refusalOf(prompt, row)).message).toMatch(message);
	});

	it('is told from one that is some: false in an option or a text, a command with words, a digit', async () => {
		const additionalFields = { field: [{ name: 'seamless', value: '={{ $json.no }}' }] };
		await fixture.run(fox({ additionalFields }), { items: rowsOf({ no: false }) });
		await run('=A lamp that is on: {{ $json.no }}', { no: false });
		const titles = ['false', '/imagine a fox', 'a ❤️ of paper', '7', '狐'];
		for (const title of titles) await run('={{ $json.title }}', { title });

		expect(fixture.calls()[0]?.fields.seamless).toBe('false');
		expect(sent()).toStrictEqual(['A fox', 'A lamp that is on: false', ...titles]);
	});

	it('may be part of a value', async () => {
		const texts = [
			'a null island',
			'undefined behavior',
			'a #N/A in a sheet',
			'We are #1!',
			'#fox!',
			'#Wert!',
			'#NVIDIA',
			'#N',
		];
		for (const title of texts) await run('=Draw {{ $json.title }}', { title });

		expect(sent()).toStrictEqual(texts.map((text) => `Draw ${text}`));
	});
});

it('an empty cell in an option counts as no option', async () => {
	const [count, avoid, seconds] = ['={{ $json.count }}', '={{ $json.avoid }}', '={{ $json.s }}'];
	const options = { numberOfImages: count, negativePrompt: avoid, timeout: seconds };
	const items = rowsOf({ count: '', avoid: ' ', s: null }, { count: '2', avoid: 'text', s: 9 });
	const { rows } = await fixture.run(
		{ ...fox(options), prompt: '=A fox {{ $itemIndex }}' },
		{ items },
	);

	expect(rows).toHaveLength(3);
	expect(fixture.calls().map(({ fields }) => fields.negative_prompt)).toStrictEqual([
		undefined,
		'text',
		'text',
	]);
});

it.each(['={{ $fromAI("text", "", "string") }}', '=A {{ $fromAI("text", "", "string") }}'])(
	'what a model wrote is bought, whatever braces it holds: %s',
	async (prompt) => {
		const json = { text: 'sign {{ $json.x }}' };
		await fixture.run({ ...fox(), prompt }, { node: AS_TOOL, items: [{ json }] });
		await runInAgent({ ...fox(), prompt }, fixture.credential, json);

		expect(sent()).toStrictEqual(Array(2).fill(expect.stringMatching(/sign {{ \$json\.x }}$/)));
	},
);

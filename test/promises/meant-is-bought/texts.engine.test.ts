import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { runInAgent } from '../../support/runInAgent';
import { AS_TOOL, CONTINUE, fox, generate, hintsOf, removeBackground } from '../../support/runs';

const fixture = useFixture();
const rowsOf = (...rows: IDataObject[]): INodeExecutionData[] => rows.map((json) => ({ json }));
const run = async (prompt: string, ...rows: IDataObject[]) =>
	await fixture.run({ ...fox(), prompt }, { items: rowsOf(...rows), node: CONTINUE });
const sent = () => fixture.calls().map(({ fields }) => fields.text);
const errorsOf = ({ rows }: { rows: INodeExecutionData[] }) => rows.map(({ json }) => json.error);

const PHOTO = '=A product photo of {{ $json.title }} in {{ $json.color }} on white';

describe('a text that n8n was to fill in, but takes as it is,', () => {
	const TITLE = '{{ $json.title }}';
	it.each<[field: string, parameters: object]>([
		['Prompt', { ...fox(), prompt: `Product photo of a ${TITLE}` }],
		['Prompt', { ...fox(), prompt: '{{ $("Form").item.json.title }}' }],
		['Negative Prompt', fox({ negativePrompt: `no ${TITLE}` })],
		['File Name', fox({ fileName: TITLE })],
		['Put Output File in Field', fox({ outputPropertyName: TITLE })],
		['Image URL', removeBackground({ inputType: 'url', imageUrl: TITLE })],
		['Input Data Field Name(s)', removeBackground({ binaryPropertyName: '{{ $binary.data }}' })],
	])('is refused before it costs anything, for every item: %s', async (field, parameters) => {
		const items = rowsOf(...Array.from({ length: 15 }, (_, index) => ({ title: `mug ${index}` })));
		const { rows } = await fixture.run({ ...parameters }, { items, node: CONTINUE });

		const code = rows[0]?.json.error;
		expect(code).toMatch(/^'.+' contains {{ .+ }} as plain text/);
		expect(code).toContain(`'${field}'`);
		expect(rows).toHaveLength(15);
		expect(JSON.stringify(rows[0])).toContain("from 'Fixed' to 'Expression'");
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('is refused in an additional field', async () => {
		const additionalFields = { field: [{ name: 'seed', value: '{{ $json.seed }}' }] };
		const { error } = await fixture.run(fox({ additionalFields }));

		expect(error?.message).toContain("A value in 'Additional Fields' contains {{ $json.seed }}");
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each<[prompt: string, instead: string]>([
		['Cake for {{title}}', '{{ $json.title }}'],
		['Cake for {{1.title}}', '{{ $json.title }}'],
		['Cake for {{ json.title }}', '{{ $json.title }}'],
		['Cake for {{ TITLE }}', '{{ $json.title }}'],
		['Cake for {{ shelf mark }}', '{{ $json["Shelf mark"] }}'],
	])(
		'is refused with the expression to write, as other tools name fields: %s',
		async (prompt, instead) => {
			const { rows } = await run(prompt, { title: 'mug', 'Shelf mark': 'A7' });

			expect(JSON.stringify(rows[0]?.json.details)).toContain(
				JSON.stringify(
					`Switch the field from 'Fixed' to 'Expression', and write ${instead}.`,
				).slice(1, -1),
			);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it('is bought if its braces enclose nothing', async () => {
		const texts = ['a {{ $', 'a }} {{ b', '{"style": {"of": "mug"}}'];
		for (const text of texts) await run(text, {});

		expect(sent()).toStrictEqual(texts);
	});

	it('is bought if an expression returned it', async () => {
		await run('={{ $json.title }}', { title: 'a sign {{ $json.x }}' });

		expect(sent()).toStrictEqual(['a sign {{ $json.x }}']);
	});
});

describe('a text with closing braces too many', () => {
	it.each(['=A photo of {{ $json.title }} }}', '=A photo of {{ $json.title }}}} on white'])(
		'is refused, because n8n adds them by itself: %s',
		async (prompt) => {
			const { rows } = await run(prompt, { title: 'mug' });

			expect(rows[0]?.json.error).toBe("'Prompt' has }} too many after {{ $json.title }}.");
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it('is refused in JSON as well, which can have a space between them', async () => {
		const json = (value: string) => fox({ additionalFields: { field: [{ name: 'more', value }] } });
		const items = rowsOf({ title: '"mug"' });
		const refused = await fixture.run(json('={"style": {"of": {{ $json.title }}}}'), { items });
		await fixture.run(json('={"style": {"of": {{ $json.title }} } }'), { items });

		expect(refused.error?.message).toContain('has }} too many');
		expect(refused.error?.description).toContain('put a space between them');
		expect(fixture.calls()[0]?.fields.more).toBe('{"style": {"of": "mug" } }');
	});
});

describe('a text whose expressions all found nothing', () => {
	it.each<[what: string, row: IDataObject]>([
		['empty text', { title: '', color: '' }],
		['null', { title: null, color: null }],
		['no such field', { name: 'mug' }],
		['spaces', { title: '  ', color: ' \n' }],
		['no fields at all, as behind Always Output Data', {}],
	])('is refused, and names them: %s', async (_what, row) => {
		const result = await run(PHOTO, row);

		expect(errorsOf(result)).toStrictEqual([
			`'Prompt' is only "A product photo of in on white", because its expressions found nothing.`,
		]);
		expect(JSON.stringify(result.rows)).toMatch(/{{ \$json\.title }} and {{ \$json\.color }}/);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('names the fields of the item', async () => {
		const { rows } = await run('=A photo of {{ $json.titel }}', { sku: 7, title: 'mug' });

		expect(JSON.stringify(rows)).toContain(
			"Check {{ $json.titel }} (the item has 'sku' and 'title'), or filter out items without a value",
		);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each([
		'$json.title.slice(0, 50)',
		'$json.title || $json.name',
		'JSON.stringify($json.title)',
		'$json.price * 2',
		'title',
	])('is refused if its author did not write what it is then: {{ %s }}', async (code) => {
		const [row] = (await run(`=A photo of {{ ${code} }} on white`, {})).rows;

		expect(row?.json.error).toBe(
			`'Prompt' is only "A photo of on white", because its expression found nothing.`,
		);
		expect(JSON.stringify(row?.json.details)).toContain(
			'An expression that may find nothing says so',
		);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each([
		'=A {{ $json.title + " in " + $json.color }} on white',
		'={{ $json.title + " in " + $json.color }}',
		'={{ "A photo of " + $json.title }}',
		'={{ "A photo of " + $json.title + " in " + ($json.color ?? "red") }}',
		'={{ `A photo of ${$json.title}` }}',
		'=A photo {{ `of ${$json.title}, ${$json.kind}` }}',
		'={{ "For " + $json.price * 2 + " euros" }}',
		'={{ $json.kind + " of " + $json["title"] }}',
	])('is refused if JavaScript wrote words for it: %s', async (prompt) => {
		const { rows } = await run(prompt, { kind: 'photo', sku: 7 });

		expect(rows[0]?.json.error).toMatch(
			/^{{ .+ }} in 'Prompt' is ".*", where "(?:undefined|NaN)" is/,
		);
		expect(JSON.stringify(rows[0]?.json.details)).toContain("the item has 'kind' and 'sku'");
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each<[prompt: string, row: IDataObject, text: string]>([
		[
			'={{ "Draw " + $json.title + ($json.x ?? "") }}',
			{ title: 'a null island' },
			'Draw a null island',
		],
		['={{ "Draw " + $json.tags.join(" ") }}', { tags: ['undefined', 'fox'] }, 'Draw undefined fox'],
		['={{ "A fox" }}', {}, 'A fox'],
		['={{ $json["A fox"] + "" }}', { 'A fox': 'A fox' }, 'A fox'],
		['={{ "A " + $json.title.replace("fox", "") }}', { title: 'fox' }, 'A '],
	])('is told from one that found something: %s', async (prompt, row, text) => {
		await run(prompt, row);

		expect(sent()).toStrictEqual([text]);
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

	it('of nothing but an expression is empty, and says what the item has', async () => {
		const [typo, empty] = (await run('={{ $json.titel }}', { title: 'mug' }, { titel: '' })).rows;

		expect([typo, empty].map((row) => row?.json.error)).toStrictEqual(
			Array(2).fill("'Prompt' is empty."),
		);
		expect(JSON.stringify(typo?.json.details)).toContain(
			"Check {{ $json.titel }} (the item has 'title')",
		);
		expect(JSON.stringify(empty?.json.details)).toContain("(the item has 'titel')");
		expect(fixture.calls()).toStrictEqual([]);
	});
});

describe('a text whose expressions found something', () => {
	const rows = [{ title: 'mug', color: 'red' }, { title: 'cup', color: ' ' }, { color: 'blue' }];
	const BLANKS =
		"{{ $json.color }} in 'Prompt' found nothing for Item 2, &quot;A product photo of cup in on white&quot;. " +
		'So did 1 more of the expressions.';

	it('is bought, and a hint names those that found nothing', async () => {
		const result = await run(PHOTO, ...rows);

		expect(fixture.charged()).toBe(3);
		expect(hintsOf(result)).toStrictEqual(['3 images were bought.', BLANKS]);
	});
});

describe('a value that is none', () => {
	const VALUES = ['#REF!', '#N/A', '#VALUE!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#ERROR!'];
	const OTHER_LANGUAGES = ['#N/D', '#WERT!', '#NOM?', '#¡VALOR!', '#ЗНАЧ!'];
	const DATES = ['Invalid DateTime', 'Invalid Date'];
	const MISSING = ['undefined', 'null', 'NaN'];
	it.each([...VALUES, ...OTHER_LANGUAGES, ...DATES, ...MISSING])(
		'is refused as a text and within one: %s',
		async (title) => {
			const whole = await run('={{ $json.title }}', { title });
			const within = await run('=A photo of {{ $json.title }}', { title });

			expect(whole.rows[0]?.json.error).toContain(`'Prompt' is "${title}"`);
			expect(within.rows[0]?.json.error).toContain(`{{ $json.title }} in 'Prompt' is "${title}"`);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it.each(['={{ Number("x") }}', '=A photo of {{ $json }}'])(
		'is refused if an expression returns it: %s',
		async (prompt) => {
			const { rows } = await run(prompt, { a: 1 });

			expect(rows[0]?.json.error).toMatch(/'Prompt' is ".+", which is no value\.$/);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it.each(['null', 'undefined', '#REF!'])('is refused in Fixed as well: %s', async (prompt) => {
		const { rows } = await run(prompt, {});

		expect(rows[0]?.json.error).toBe(`'Prompt' is "${prompt}", which is no value.`);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each([
		'={{ DateTime.fromISO($json.date).toFormat("dd") }}',
		'=A calendar page of {{ DateTime.fromISO($json.date).toFormat("dd") }}',
		'={{ "A calendar page of " + DateTime.fromISO($json.date).toFormat("dd") }}',
		'={{ `A calendar page of ${new Date($json.date).toDateString()}` }}',
	])('is refused if it is a date of nothing: %s', async (prompt) => {
		const { rows } = await run(prompt, { a: 1 });

		expect(rows[0]?.json.error).toMatch(/Invalid Date/);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each<[prompt: string, row: IDataObject]>([
		['={{ $json.title }}', { title: false }],
		['={{ $json.title && $json.color }}', { title: false, color: 'red' }],
	])('is false as a whole prompt: %s', async (prompt, row) => {
		const { rows } = await run(prompt, row);

		expect(rows[0]?.json.error).toBe(`'Prompt' must be text, but is "false".`);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('is not false in an option, in a text, or as one', async () => {
		const additionalFields = { field: [{ name: 'seamless', value: '={{ $json.no }}' }] };
		const items = rowsOf({ no: false, title: 'false' });
		await fixture.run(fox({ additionalFields }), { items });
		await run('=A lamp that is on: {{ $json.no }}', { no: false });
		await run('={{ $json.title }}', { title: 'false' });

		expect(fixture.calls()[0]?.fields.seamless).toBe('false');
		expect(sent()).toStrictEqual(['A fox', 'A lamp that is on: false', 'false']);
	});

	it.each(['\u200b', ' \u200b\u200d', '\ufeff', '\u00ad', '\u2060\u200e', '\u3164'])(
		'is one of only invisible characters: %j',
		async (title) => {
			const whole = await run('={{ $json.title }}', { title });
			const typed = await run(title, {});
			const all = await run('=A photo of {{ $json.title }}', { title });
			const one = await run('=A {{ $json.title }} in {{ $json.color }}', { title, color: 'red' });

			expect([whole, typed].map(({ rows }) => rows[0]?.json.error)).toStrictEqual(
				Array(2).fill("'Prompt' is empty."),
			);
			expect(all.rows[0]?.json.error).toContain('is only "A photo of');
			expect(hintsOf(one)?.slice(1)).toStrictEqual([
				expect.stringMatching(/^{{ \$json\.title }} in 'Prompt' found nothing for Item 1/),
			]);
			expect(fixture.charged()).toBe(1);
		},
	);

	it.each(['\u2764\ufe0f', '👍', '-', '.', '...', '🦊🌲'])(
		'is one without any letter or digit: %s',
		async (title) => {
			const { rows } = await run('={{ $json.title }}', { title });

			expect(rows[0]?.json.error).toBe(`'Prompt' is "${title}", which has no letter or digit.`);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it.each(['/start', ' /help@picture_bot '])('is a lone command of a chat: %s', async (title) => {
		const { rows } = await run('={{ $json.title }}', { title });

		expect(rows[0]?.json.error).toContain('is a command of a chat');
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('is told from a command with words, an emoji with words, and a digit', async () => {
		const titles = ['/imagine a fox', 'a ❤️ of paper', '7', '狐'];
		for (const title of titles) await run('={{ $json.title }}', { title });

		expect(sent()).toStrictEqual(titles);
	});

	it('may be part of a value', async () => {
		const texts = [
			'a null island',
			'undefined behavior',
			'a #N/A in a sheet',
			'a poster that says Loading...',
			'We are #1!',
			'#1!',
			'#fox!',
			'#Wert!',
			'#NVIDIA',
			'#N',
			'Loading...',
		];
		for (const title of texts) await run('=Draw {{ $json.title }}', { title });

		expect(sent()).toStrictEqual(texts.map((text) => `Draw ${text}`));
	});
});

describe('items that ask for exactly the same image through an expression', () => {
	const SAME =
		'Items 1, 3 and 4, &quot;a fox&quot; ask for the same image, and each gets its own. ' +
		'If that is not meant, check the expressions.';
	const what = {
		items: rowsOf(...['a fox', 'a hen', 'a fox', 'a fox'].map((title) => ({ title }))),
	};

	it('are bought, and named in a hint', async () => {
		const result = await fixture.run(generate({ numberOfImages: 2 }), what);

		expect(hintsOf(result)).toStrictEqual(['8 images were bought.', SAME]);
		expect(fixture.charged()).toBe(8);
	});
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

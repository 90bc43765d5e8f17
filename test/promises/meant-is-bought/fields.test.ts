import { readFields, wholeNumber } from '../../../nodes/ImageGeneration/fields/field';
import { itemOptions, runOptions } from '../../../nodes/ImageGeneration/fields/options';
import { defineOperation } from '../../../nodes/ImageGeneration/operations/operation';
import { images, partsOf, placesOf, plan } from '../../support/planImages';

/** Generate Image as n8n adds it. */
const GENERATE = {
	operation: 'generate',
	prompt: 'A fox',
	version: 'standard',
	size: 'square',
	geniusPreference: '',
	resolution: '2k',
	download: true,
};
const planned = async (parameters: object) =>
	await plan({ ...GENERATE, ...parameters }, { binary: images('data') });

/** The text parts that are sent for these parameters. */
async function sentFor(parameters: object): Promise<Record<string, unknown>> {
	const [row] = await planned(parameters);
	return row !== undefined && 'asks' in row ? row.asks.request.textParts : {};
}

/** Why nothing can be sent for them. */
const refusalOf = async (parameters: object) => partsOf(await planned(parameters)).join();

/** Additional fields, each a name and a value. */
const additional = (...pairs: Array<[name: unknown, value: unknown]>) => ({
	options: { additionalFields: { field: pairs.map(([name, value]) => ({ name, value })) } },
});

describe('a size', () => {
	it.each([
		['square', '512x512', '1024x1024'],
		['landscape', '1024x720', '1152x896'],
		['wide', '1024x576', '1216x832'],
		['portrait', '768x1024', '896x1152'],
		['feed', '512x640', '1024x1280'],
		['tall', '576x1024', '832x1216'],
	])('%s is %s with Standard, and %s with every other quality', async (size, standard, higher) => {
		const pixels = ['standard', 'hd', 'genius', 'super_genius'].map(async (version) => {
			const { width, height } = await sentFor({ version, size });
			return [width, height].join('x');
		});

		expect(await Promise.all(pixels)).toStrictEqual([standard, higher, higher, higher]);
	});

	it.each([
		[{ size: ' WIDE ' }, '1024', '576'],
		[{ size: ' 640 × 384 ' }, '640', '384'],
		[{ size: '640X384' }, '640', '384'],
		[{ size: '128x1536' }, '128', '1536'],
		[{ size: '1024x720' }, '1024', '720'],
		[{ size: 'Custom', width: 160, height: ' 192' }, '160', '192'],
		[{ size: 'custom', width: 1024, height: 720 }, '1024', '720'],
	])(
		'is read from a sheet, from an expression or from its own fields: %j',
		async (given, ...size) => {
			const { width, height } = await sentFor(given);

			expect([width, height]).toStrictEqual(size);
		},
	);

	const RULE = '128 to 1536 in steps of 32.';

	it.each([
		...['1920x1080', '64x64', '1024x721'].map((size): [object, string] => [
			{ size },
			`'Size' is "${size}". Allowed: each side ${RULE}`,
		]),
		[{ size: 'custom', width: 1920, height: 1080 }, `'Width' is "1920". Allowed: ${RULE}`],
		[{ size: 'custom', width: 1024, height: 721 }, `'Height' is "721". Allowed: ${RULE}`],
		[{ size: 'custom', width: 512, height: 'tall' }, `'Height' is "tall". Allowed: ${RULE}`],
		...['about 512x512', '512x', 512, ['square'], ''].map((size): [object, RegExp] => [
			{ size },
			/^'Size' is .*\. Allowed: square, .*, custom, or width x height, such as 640x384, each 128 to/,
		]),
	])('is refused with its rule: %j', async (given, message) => {
		expect(await refusalOf(given)).toMatch(message);
	});
});

describe('a field', () => {
	it.each<[what: string, given: object, sent: object]>([
		[
			'a choice by its name',
			{ version: ' Super Genius ' },
			{ image_generator_version: 'super_genius' },
		],
		[
			'a choice in any case',
			{ version: 'super-GENIUS' },
			{ image_generator_version: 'super_genius' },
		],
		['a number as a prompt', { prompt: 7 }, { text: '7' }],
		[
			'a style that is missing as none',
			{ version: 'genius', geniusPreference: null },
			{ image_generator_version: 'genius' },
		],
		['a prompt as it is', { prompt: ' A "fox"\n' }, { text: ' A "fox"\n' }],
		['a field that the node does not have', additional(['seed', 7]), { seed: '7' }],
	])('takes %s: %j', async (_what, given, sent) => {
		expect(await sentFor(given)).toMatchObject(sent);
	});

	it.each([
		[{ operation: 'paint' }, `'Operation' is "paint". Allowed: generate, removeBackground, edit.`],
		[
			{ operation: 'removeBackground', inputType: 'mail' },
			`'Image Source' is "mail". Allowed: binary, all, url.`,
		],
		[
			{ version: 'hd', operation: 'edit', inputType: 'all' },
			`'Quality' is "hd". Allowed: standard, genius, super_genius.`,
		],
		[{ version: 'more' }, `'Quality' is "more". Allowed: standard, hd, genius, super_genius.`],
		[{ version: null }, `'Quality' is nothing. Allowed: standard, hd, genius, super_genius.`],
		[{ version: 'genius', geniusPreference: 'no' }, `'Style' is "no". Allowed: none, anime,`],
		[{ prompt: ' \n' }, `'Prompt' is empty.`],
		[{ prompt: null }, `'Prompt' is empty.`],
		[{ prompt: ['a'] }, `'Prompt' must be text, but is "["a"]".`],
		[{ prompt: true }, `'Prompt' must be text, but is "true".`],
		[{ download: 'yes' }, `'Image as File' is "yes". Allowed: true, false.`],
		[{ options: { outputPropertyName: ' ' } }, `'Put Output File in Field' is empty.`],
		...[0, 51, 1.5, '7px', '', true].map((numberOfImages): [object, string] => [
			{ options: { numberOfImages } },
			`Allowed: a whole number from 1 to 50.`,
		]),
		[
			{ options: { timeout: 0 } },
			`'Timeout (Seconds)' is "0". Allowed: a whole number of seconds from 1 to 3600.`,
		],
		[{ options: { timeout: 3601 } }, `Allowed: a whole number of seconds from 1 to 3600.`],
		...[' text ', 'width', 'image'].map((name): [object, string] => [
			additional([name, '64']),
			`'Additional Fields' contains "${name.trim()}", which the node sends itself.`,
		]),
		[additional([' ', 'a']), `A name in 'Additional Fields' is empty.`],
		[additional([undefined, 'a']), `A name in 'Additional Fields' is empty.`],
		[additional(['a', [1]]), `'Additional Fields' contains "[1]", which is not text.`],
		[additional(['a', '1'], ['a ', '2']), `'Additional Fields' contains "a" twice.`],
	])('is refused with its name and what is allowed: %j', async (given, message) => {
		expect(await refusalOf(given)).toContain(message);
	});

	it.each([
		[{ download: 'False ', options: { includeInputFields: 'TRUE' } }, true, undefined],
		[{ download: true, options: { includeInputFields: null } }, false, 'data'],
	])('of two states is also read as text: %j', async (given, includesInput, outputField) => {
		const [row] = placesOf(await planned(given));

		expect(row).toMatchObject({ includesInput });
		expect(row).toHaveProperty('outputField', outputField);
	});
});

describe('the options of a run', () => {
	const read = (given: Record<string, unknown>) =>
		readFields({ ...itemOptions, ...runOptions }, (name, absent) => given[name] ?? absent);
	const DEFAULTS = {
		fileName: '',
		includeInputFields: false,
		timeout: 600,
		concurrency: 5,
		dryRun: false,
		maxImages: Infinity,
		maxImagesPerDay: Infinity,
		purchaseLog: '',
		reuse: undefined,
	};

	it('have defaults, but no limit of images', () => {
		const nulls = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]));

		expect(read({})).toStrictEqual(DEFAULTS);
		expect(read(nulls)).toStrictEqual(DEFAULTS);
	});

	it('are on when they are added, if they have two states, and list purchases in a table with a name', () => {
		const { includeInputFields } = itemOptions;
		const { dryRun, purchaseLog } = runOptions;
		const defaults = [includeInputFields, dryRun, purchaseLog].map(
			(field) => field.property.default,
		);

		expect(defaults).toStrictEqual([true, true, 'Image Purchases']);
	});

	it.each([
		[{ concurrency: 101 }, 'from 1 to 100.'],
		[{ maxImages: 0 }, 'Allowed: a whole number, 1 or more.'],
		[{ purchaseLog: ' ' }, "'Purchase Log' is empty."],
		[{ reuse: 'manualRuns' }, 'Allowed: always, never.'],
	])('are refused if they are out of range: %j', (given, message) => {
		expect(() => read(given)).toThrow(message);
	});
});

it('an option of an operation is sent only if it was added, even with the value that the panel shows at first', async () => {
	expect(await sentFor({})).not.toHaveProperty('negative_prompt');
	expect(await sentFor({ options: { negativePrompt: null } })).not.toHaveProperty(
		'negative_prompt',
	);
	expect(await sentFor({ options: { negativePrompt: ' \n' } })).not.toHaveProperty(
		'negative_prompt',
	);
	expect(await sentFor({ options: { negativePrompt: 'snow' } })).toHaveProperty('negative_prompt');

	const range = { min: 0, max: 99 };
	const careless = defineOperation({
		model: 'tool',
		name: 'Tool',
		action: 'Use tool',
		description: 'Use a tool',
		fields: {},
		// @ts-expect-error This one would be sent with every request.
		options: { seed: wholeNumber({ displayName: 'Seed', default: 0, range, description: String }) },
		textParts: () => ({}),
	});
	expect(careless.options).toHaveProperty('seed');
});

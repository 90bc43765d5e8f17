import fc from 'fast-check';
import type { IBinaryData } from 'n8n-workflow';

import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import type { PlannedRow } from '../../nodes/ImageGeneration/plan/planItem';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';
import type { InvalidRow, JobRequest } from '../../nodes/ImageGeneration/types';
import { tools } from '../../sandbox/tools';
import { settle } from '../../sandbox/tools/parameters';
import { fuzz, SEED } from '../support/fuzz';
import { planningRun } from '../support/planningRun';

const { array, constantFrom, integer, oneof, record, string, webUrl } = fc;

const nonsense = oneof(
	string({ unit: 'binary' }),
	fc.double(),
	constantFrom(null, undefined, true, {}, [], ' ', '\u2028', 'null', '__proto__', '👩‍👩‍👧'),
);
/** Usually one of the values, sometimes nonsense. */
const mostly = (...values: unknown[]) =>
	oneof({ weight: 8, arbitrary: constantFrom(...values) }, nonsense);
/** One of them, or several as a list or as a text. */
const oneOrMore = (each: fc.Arbitrary<unknown>) => {
	const list = array(each, { maxLength: 5 });
	const texts = constantFrom(', ', '\n').chain((comma) => list.map((all) => all.join(comma)));
	return oneof(each, list, texts);
};

const steps = integer({ min: 4, max: 48 }).map((count) => count * 32);
const side = oneof(
	{ weight: 6, arbitrary: steps },
	{ weight: 2, arbitrary: integer({ min: -100, max: 2000 }) },
	steps.map((pixels) => ` ${pixels} `),
	nonsense,
);
const SIZES = [
	'custom',
	'square',
	'feed',
	'WIDE',
	'1920x1080',
	'1024x720',
	'1024X576',
	'128 × 160',
];
const size = oneof(mostly(...SIZES), array(side, { minLength: 2, maxLength: 2 }).map(toSize));
const text = oneof({ weight: 3, arbitrary: string({ unit: 'grapheme', minLength: 1 }) }, nonsense);
const copies = oneof(
	{ weight: 4, arbitrary: integer({ min: 1, max: 4 }) },
	mostly(1, '2', 10, 0, -1, 1.5, 11, 'many'),
);
const address = oneof(
	webUrl({ withQueryParameters: true, withFragments: true }),
	mostly(
		'https://example.com/a b.jpg',
		'http:/x',
		'file:///etc/passwd',
		'data:image/gif;base64,R0lGODlhAQ==',
		'"https://example.com/a.jpg"',
		'https://example.com/w_1,h_2/a.jpg, https://example.com/b.jpg',
		'http://localhost/a.jpg',
		'https://drive.google.com/file/d/1/view',
		'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	),
);
const file = record({
	head: constantFrom('GIF89a', '\x89PNG\r\n\x1a\n', 'BM', '<html>', ''),
	rest: string({ unit: 'binary-ascii' }),
	mimeType: constantFrom('image/png', 'text/html', 'image/svg+xml', 'application/pdf', ''),
	names: record({ fileName: string({ unit: 'binary' }) }, { requiredKeys: [] }),
}).map(({ head, rest, mimeType, names }): IBinaryData => {
	const data = Buffer.from(head + rest, 'latin1').toString('base64');
	return { data, mimeType, ...names };
});
const FIELDS = ['data', 'photo_0', 'photo_1', 'photo, 2'];
const names = oneof(
	{ weight: 2, arbitrary: oneOrMore(oneof(mostly(...FIELDS), file, address)) },
	oneOrMore(constantFrom(...FIELDS, '', '__proto__')),
);

/** One item's files and parameters, valid or not. */
const randomItem = record({
	files: fc.dictionary(constantFrom(...FIELDS), file),
	operation: mostly('generate', 'removeBackground', 'edit'),
	prompt: text,
	version: mostly('standard', 'hd', 'genius', 'super_genius', 'Super Genius'),
	resolution: mostly('2k', '4k'),
	geniusPreference: mostly('', 'anime', 'cinematic', 'graphic', 'photography'),
	size,
	width: side,
	height: side,
	inputType: mostly('binary', 'all', 'url'),
	binaryPropertyName: names,
	imageUrl: oneOrMore(address),
	options: record({ negativePrompt: text, numberOfImages: copies }, { requiredKeys: [] }),
});

function toSize(sides: readonly unknown[]): string {
	return sides.map(String).join('x');
}

type Planned = PlannedRow | InvalidRow;
const isValid = (planned: Planned): planned is PlannedRow => !('problem' in planned);

/** What is wrong with a row's request, or with the message of a row without one. */
function faultsOf(planned: Planned): string[] {
	if (isValid(planned)) return faultsIn(planned.asks.request);
	const { title } = messageFor(planned.problem);
	if (!['bad input', 'not an image'].includes(planned.problem.kind))
		return [`unexpected: ${title}`];
	return /^['A-Z][^]+\.$/.test(title) ? [] : [`no sentence: ${title}`];
}

/** What the sandbox, which implements the specification, refuses or does not use. */
function faultsIn({ model, textParts, file: sentFile }: JobRequest): string[] {
	const parameters = tools.find(({ id }) => id === model)?.parameters ?? [];
	// A file takes the place of an address.
	const sent = { ...textParts, ...(sentFile && { image: 'https://example.com/file' }) };
	try {
		const used = settle(parameters, { fields: sent, problems: new Map() });
		return Object.keys(sent).filter((name) => !(name in used));
	} catch (error) {
		return [`refused by the sandbox: ${String(error)}`];
	}
}

it(`ten thousand random items give requests that the specification and the sandbox allow, or clear messages (seed ${SEED})`, async () => {
	let allowed = 0;
	let several = 0;
	await fc.assert(
		fc.asyncProperty(randomItem, async ({ files, ...values }) => {
			const items = [{ json: {}, binary: files }];
			const run = planningRun({ items, parameters: { ...values, download: true } });
			const rows = await planAll(run, new AbortController().signal);
			const sane = rows.filter(isValid);
			allowed += sane.length;
			if (sane.length > 1) several++;

			expect(rows.length).toBeGreaterThan(0);
			expect(rows.flatMap(faultsOf)).toStrictEqual([]);
			const numbered = sane.filter(({ row }) => !row.fileName.isMarked);
			const stems = numbered.map(({ row }) => row.fileName.stem.toLowerCase());
			expect(new Set(stems).size).toBe(stems.length);
		}),
		fuzz(10_000),
	);

	// Both kinds of item occurred.
	expect(allowed).toBeGreaterThan(0);
	expect(several).toBeGreaterThan(0);
});

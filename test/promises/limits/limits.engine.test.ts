import type { FaultRule } from '../../../sandbox';
import type { EngineResult, EngineRun } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import { AS_TOOL, CONTINUE, fox, generate, hintsOf, IN_ORDER, itemsOf } from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });

const pictures = (count: number) =>
	itemsOf(...Array.from({ length: count }, (_, index) => `Picture ${index + 1}`));

/** One execution of the node. */
interface Run extends Pick<EngineRun, 'node' | 'mode'> {
	items: number;
	/** The items of further rounds of a loop. */
	rounds?: number[];
	options?: object;
	/** Whether all items ask for the same. */
	isFixed?: boolean;
	fault?: FaultRule;
	/** Whether it is Retry of the one before. */
	isRetry?: boolean;
}

/** What somebody does, how many images are bought, and what the last run says. */
type Row = [what: string, runs: Run[], bought: number, said: RegExp];

const ALWAYS = { reuse: 'always' };
const REFUSED = { fault: 'status', status: 400, when: 'Picture 3' } as const;
const GONE = { fault: 'download-404', times: 2 } as const;
const RAISE = String.raw` \| Nothing was sent\. Raise 'Max Images'`;
const OTHER_NODE = { id: 'other' };

const MAX_IMAGES: Row[] = [
	[
		'more items',
		[{ items: 5, options: { maxImages: 3 } }],
		0,
		new RegExp(`^'Max Images' is 3, but 5 images are needed${RAISE}`),
	],
	[
		'more copies',
		[{ items: 2, options: { maxImages: 3, numberOfImages: 2 } }],
		0,
		new RegExp(`^'Max Images' is 3, but 4 images are needed${RAISE}`),
	],
	[
		'more rounds of a loop',
		[{ items: 2, rounds: [2], options: { maxImages: 3 } }],
		2,
		/^'Max Images' is 3 and this execution has already bought 2, but 2 more images are needed/,
	],
	[
		'more in Retry, which counts what the failed attempt bought',
		[
			{ items: 4, fault: REFUSED },
			{ items: 4, isRetry: true, options: { maxImages: 3 } },
		],
		2,
		/has already bought 2, but 2 more images are needed/,
	],
	[
		'no more in Retry',
		[
			{ items: 4, fault: REFUSED },
			{ items: 4, isRetry: true, options: { maxImages: 4 } },
		],
		4,
		/^2 images were bought, 2 images were kept from an earlier attempt\.$/,
	],
	[
		'images of another run whose links are gone',
		[
			{ items: 2, options: ALWAYS },
			{ items: 2, options: { ...ALWAYS, maxImages: 1 }, fault: GONE },
		],
		2,
		new RegExp(`^'Max Images' is 1, but 2 images are needed${RAISE}`),
	],
	[
		'more for images that turn out to be gone',
		[
			{ items: 2, options: ALWAYS },
			{ items: 5, options: { ...ALWAYS, maxImages: 4 }, fault: GONE },
		],
		2,
		/already bought 0 and is about to buy 3, but 2 more images are needed/,
	],
	[
		'thirty items that ask for the same, which are one image',
		[{ items: 30, isFixed: true, options: { maxImages: 1 } }],
		1,
		/^1 image was bought\. \| All 30 items ask for the same image/,
	],
	[
		'a Dry Run of them, which says so',
		[{ items: 30, isFixed: true, options: { dryRun: true, maxImages: 1 }, mode: 'manual' }],
		0,
		/^Dry Run, nothing was sent: 1 image would be bought\. \| All 30 items ask for the same image/,
	],
];

const PER_DAY = { maxImagesPerDay: 4 };

const MAX_IMAGES_PER_DAY: Row[] = [
	[
		'more in all executions of the node',
		[
			{ items: 3, options: PER_DAY },
			{ items: 2, options: PER_DAY },
		],
		3,
		/^'Max Images per Day' is 4 and this node has bought 3 in the last 24 hours, but 2 more images are needed \| Nothing was sent\. Raise 'Max Images per Day' to allow more images in 24 hours\. To buy 1 of them, /,
	],
	[
		'what another node bought',
		[
			{ items: 4, options: PER_DAY },
			{ items: 1, options: PER_DAY, node: OTHER_NODE },
		],
		5,
		/^1 image was bought\.$/,
	],
	[
		'more than there is room for, and names it rather than Max Images',
		[{ items: 20, options: { ...PER_DAY, maxImages: 10, dryRun: true }, mode: 'manual' }],
		0,
		/'Max Images per Day' allows only 4/,
	],
	[
		'another one once it is used up, and says when there is a place',
		[
			{ items: 4, options: PER_DAY },
			{ items: 5, options: PER_DAY },
		],
		4,
		/ in 24 hours, or wait: the next image can be bought in about 2[34] hours\.$/,
	],
	[
		'more for an agent, in words that a model can act on',
		[
			{ items: 4, options: PER_DAY, node: AS_TOOL },
			{ items: 1, options: PER_DAY, node: AS_TOOL },
		],
		4,
		/^'Max Images per Day' is 4 .*Answer with those you have\./,
	],
];

/** What a run says: its error, its error items, or else its hints. */
function saidBy(result: EngineResult): string {
	const { error, rows } = result;
	const errors = rows.flatMap(({ json }) =>
		json.error === undefined ? [] : [`${json.error as string} ${JSON.stringify(json)}`],
	);
	if (error === undefined)
		return (errors.length > 0 ? errors : (hintsOf(result) ?? [])).join(' | ');
	return `${error.message} | ${error.description}`;
}

it.each([
	...MAX_IMAGES.map((row) => ['Max Images', ...row] as const),
	...MAX_IMAGES_PER_DAY.map((row) => ['Max Images per Day', ...row] as const),
])('%s with On Error = Stop: %s', async (_limit, _what, runs, bought, said) => {
	let last: EngineResult | undefined;
	for (const { items, rounds, options, isFixed = false, fault, isRetry = false, ...what } of runs) {
		if (fault !== undefined) fixture.sandbox.arm(fault);
		const parameters = (isFixed ? fox : generate)({ ...IN_ORDER, ...options });
		const run = {
			...what,
			items: pictures(items),
			...(rounds && { rounds: rounds.map(pictures) }),
		};
		last =
			isRetry && last !== undefined
				? await fixture.retry(last, parameters, run)
				: await fixture.run(parameters, run);
	}

	expect(fixture.charged()).toBe(bought);
	// A request that the service refuses is one more.
	expect(fixture.calls().length - fixture.struck()).toBe(bought);
	expect(last && saidBy(last)).toMatch(said);
});

it.each([CONTINUE, { onError: 'continueErrorOutput' } as const])(
	'Max Images buys the first images and says so for the rest with $onError',
	async (node) => {
		const { rows, errorRows } = await fixture.run(generate({ maxImages: 2, ...IN_ORDER }), {
			items: pictures(4),
			node,
		});

		expect(fixture.calls().map(({ fields }) => fields.text)).toStrictEqual([
			'Picture 1',
			'Picture 2',
		]);
		const refused = [...rows, ...errorRows].filter(({ json }) => json.error !== undefined);
		const error = "'Max Images' is 2, but 4 images are needed";
		const advice =
			"This image was not bought. Raise 'Max Images' to allow more images in one execution.";
		expect(refused).toMatchObject(
			[2, 3].map((item) => ({ json: { error, details: { advice } }, pairedItem: { item } })),
		);
	},
);

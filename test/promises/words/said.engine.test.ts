import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import type { EngineResult, EngineRun } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import { logSoFar } from '../../support/n8nLog';
import { N8nTables } from '../../support/n8nTables';
import { forgetPurchases } from '../../support/remembered';
import {
	allHintsOf,
	AS_TOOL,
	CONTINUE,
	fox,
	generate,
	IN_ORDER,
	itemsOf,
	removeBackground,
} from '../../support/runs';
import { until } from '../../support/until';

const fixture = useFixture({ allowance: 10_000 });

/** A run of the node. */
interface Run extends Partial<EngineRun> {
	parameters?: INodeParameters;
	faults?: FaultRule[];
	/** The runs before it. */
	before?: Run[];
	/** Whether it is Retry of the last one of those. */
	isRetry?: boolean;
	/** Whether it is not the one that a later one retries. */
	isApart?: boolean;
	/** When somebody presses Stop. */
	stopsWhen?: () => boolean;
}

const ONE = itemsOf('A fox');
const TWO = itemsOf('A fox', 'A hen');
const THREE = itemsOf('A fox', 'A hen', 'An owl');
const MANUAL = { mode: 'manual' } as const;
const ALWAYS = { reuse: 'always' };
const NO = { fault: 'status', status: 400, body: { err: 'No foxes' } } as const;
const NO_SECOND = { ...NO, when: 'A hen' } as const;
const CUT = { fault: 'reset-after' } as const;
const GONE = { fault: 'download-404', times: 9 } as const;
const DOWN = { fault: 'download-500', times: 9 } as const;
const photo = async (name: string) => ({ json: {}, binary: { data: await fixture.gif(name) } });
const photos = async (...names: string[]) => await Promise.all(names.map(photo));
/** An image of several kilobytes whose last byte differs. */
const scan = async (last: number) => {
	const bytes = Buffer.alloc(9000, 255);
	bytes.write('BM\0\0\0\0\0\0\0\0', 0, 'latin1');
	bytes[8999] = last;
	const data = await fixture.engine.store(bytes, `scan ${last}.bmp`, 'image/bmp');
	return { json: {}, binary: { data } };
};
const numbered = (count: number) =>
	itemsOf(...Array.from({ length: count }, (_, index) => `Fox ${index + 1}`));
/** An option that makes items with this title invalid, and no other request of the others. */
const checked = (options: object = {}) =>
	generate({
		...IN_ORDER,
		timeout: '={{ $json.title.includes("<No>") ? "<b>" : 60 }}',
		...options,
	});
/** The same with two expressions that find nothing. */
const blank = { ...checked(), prompt: '={{ $json.title }} {{ $json.color }} {{ $json.shape }}' };
const MIXED = itemsOf('A fox', 'A fox', 'A hen', '<No> 1', '<No> 2');
const SLOW = { fault: 'delay-after', delayMs: 8000 } as const;
/** A log that takes one row, and then no more. */
const brokenLog = () => {
	let inserts = 0;
	return new N8nTables({
		outageOf: ({ operation }) => (operation === 'insert' && ++inserts > 1 ? 'before' : undefined),
	});
};
/** A condition about the paid requests of the next run. */
const whenSent = (count: number) => {
	const before = fixture.calls().length;
	return () => fixture.calls().length - before === count;
};

/** What happens, and the run that speaks of it. */
const HINTS: Record<string, () => Promise<Run> | Run> = {
	bought: () => ({ items: TWO }),
	'used again': () => ({ items: ONE, ...MANUAL, before: [{ items: ONE }] }),
	'used again with Never': () => ({
		parameters: generate({ reuse: 'never', ...IN_ORDER }),
		items: TWO,
		before: [
			{
				parameters: generate({ reuse: 'never', ...IN_ORDER }),
				items: TWO,
				faults: [{ ...NO_SECOND, times: 1 }],
			},
		],
	}),
	'bought in the editor': () => ({ items: ONE, ...MANUAL }),
	'all of that': () => ({
		parameters: generate({ ...ALWAYS, ...IN_ORDER }),
		// Two that are kept, two that are used again, and one that is gone.
		faults: [{ ...GONE, after: 4, times: 1 }],
		isRetry: true,
		before: [
			{ items: itemsOf('An owl', 'A crow', 'A bee') },
			{
				items: itemsOf('A fox', 'A hen', 'An owl', 'A crow', 'A bee'),
				faults: [{ ...NO, when: 'An owl' }],
			},
		],
	}),
	'an image that is gone': () => ({
		parameters: generate(ALWAYS),
		items: ONE,
		faults: [{ ...GONE, times: 1 }],
		before: [{ items: ONE }],
	}),
	'all items ask for the same': () => ({ parameters: fox(), items: THREE }),
	'all items ask for the same edit': async () => ({
		parameters: { operation: 'edit', prompt: 'Blur it' },
		items: await photos('one', 'one', 'one'),
	}),
	'all items have the same photo': async () => ({
		parameters: removeBackground(),
		items: await photos('one', 'one', 'one'),
	}),
	'some items have the same photos': async () => ({
		parameters: removeBackground(),
		items: await photos('one', 'two', 'one', 'two', 'three'),
	}),
	'two items ask for the same': () => ({ items: itemsOf('A fox', 'A fox', 'A hen') }),
	'four items ask for the same two': () => ({
		items: itemsOf('A fox', 'A fox', 'A hen', 'A hen', 'An owl'),
	}),
	'a Dry Run of two scans with the same beginning': async () => ({
		parameters: { operation: 'edit', prompt: 'Blur it', options: { dryRun: true } },
		...MANUAL,
		items: [await scan(1), await scan(2)],
	}),
	'two copies of an item': () => ({ parameters: generate({ numberOfImages: 2 }), items: ONE }),
	'rows without an image': () => ({
		parameters: fox(),
		items: THREE,
		faults: [CUT],
		node: CONTINUE,
	}),
	'a row whose image is there': () => ({ items: ONE, faults: [DOWN], node: CONTINUE }),
	'an expression found nothing': () => ({
		parameters: { ...generate(), prompt: '={{ $json.title }} {{ $json.color }}' },
		items: ONE,
	}),
	'all that a person must look at': () => ({
		parameters: blank,
		items: MIXED,
		node: CONTINUE,
		before: [{ parameters: blank, items: MIXED, node: CONTINUE, faults: [{ ...CUT, times: 2 }] }],
	}),
	'a Dry Run in the editor': () => ({
		parameters: generate({ dryRun: true }),
		items: ONE,
		...MANUAL,
	}),
	'a Dry Run that is published': () => ({ parameters: generate({ dryRun: true }), items: ONE }),
	'a Dry Run of all of that, with a limit': () => ({
		parameters: checked({ dryRun: true, maxImages: 2, ...ALWAYS }),
		node: CONTINUE,
		isRetry: true,
		before: [
			{ items: itemsOf('An owl') },
			{
				items: itemsOf('A fox', 'A hen', 'An owl', 'A crow', '<No>', 'A bee'),
				faults: [NO_SECOND],
			},
			{ items: itemsOf('A crow'), faults: [SLOW], stopsWhen: whenSent(4), isApart: true },
		],
	}),
	'rows are missing in the log': () => ({
		parameters: generate({ purchaseLog: 'Images' }),
		items: ONE,
		tables: brokenLog(),
	}),
	'a new log': () => ({
		parameters: generate({ purchaseLog: 'Images' }),
		items: ONE,
		tables: new N8nTables(),
	}),
};

const STOPS: Record<string, () => Promise<Run> | Run> = {
	'one refusal': () => ({ items: ONE, faults: [NO] }),
	'a refusal of equal items': () => ({ parameters: fox(), items: THREE, faults: [NO] }),
	'an image for equal items, then a refusal': async () => ({
		parameters: removeBackground({ options: IN_ORDER }),
		items: await photos('one', 'one', 'two'),
		faults: [{ ...NO, after: 1 }],
	}),
	'of everything something': () => ({
		parameters: generate({ concurrency: 8 }),
		items: numbered(8),
		faults: [
			{ ...NO, when: 'Fox 2', delayMs: 2000 },
			{ ...CUT, when: 'Fox 3', delayMs: 3000 },
			{ fault: 'no-output-url', delayMs: 3000, when: 'Fox 5' },
			{
				fault: 'other-host-output-url',
				location: 'https://cdn.example',
				delayMs: 3000,
				when: 'Fox 6',
			},
		],
	}),
	'in the editor': () => ({ items: TWO, faults: [NO_SECOND], ...MANUAL }),
	'in the editor, where only a download is left': () => ({ items: ONE, faults: [DOWN], ...MANUAL }),
	'in a sub-workflow': () => ({ items: TWO, faults: [NO_SECOND], mode: 'integrated' }),
	'nothing is finished': () => ({ items: TWO, faults: [{ ...CUT, times: 2 }] }),
	'a link without an image': () => ({ items: ONE, faults: [GONE] }),
	'fifty-one finished': () => ({
		items: [...numbered(51), ...itemsOf('A hen')],
		faults: [NO_SECOND],
	}),
	'invalid items': () => ({
		parameters: checked(),
		items: itemsOf('A fox', '<No> 1', '<No> 2', 'A hen', '<No> 3'),
	}),
	'only invalid items, more than twenty': () => ({
		parameters: checked(),
		items: itemsOf(...Array<string>(22).fill('<No>')),
	}),
	'invalid items, although some were bought': () => ({
		parameters: checked(),
		items: [...ONE, ...itemsOf('<No>')],
		isRetry: true,
		before: [
			{
				parameters: generate(IN_ORDER),
				items: [...ONE, ...itemsOf('<No>')],
				faults: [{ ...NO, when: '<No>' }],
			},
		],
	}),
	'fifty-two unclear': () => ({
		parameters: generate({ concurrency: 60 }),
		items: numbered(52),
		faults: [{ ...CUT, delayMs: 6000, times: 52 }],
	}),
	'a stop in n8n': () => ({
		items: ONE,
		faults: [{ fault: 'rate-limit', retryAfter: '240' }],
		stopsWhen: () => /the next one goes out in 2\d\d s/.test(logSoFar()),
	}),
	'a stop in n8n, where images are awaited': () => ({
		// The third one is sent once the first one is finished.
		parameters: generate({ concurrency: 2 }),
		items: THREE,
		faults: [
			{ ...SLOW, when: 'A hen' },
			{ ...SLOW, when: 'An owl' },
		],
		stopsWhen: whenSent(3),
	}),
	'a stop in n8n, where something was cut off': () => ({
		items: TWO,
		node: CONTINUE,
		faults: [
			{ ...CUT, when: 'A fox' },
			{ ...SLOW, when: 'A hen' },
		],
		stopsWhen: whenSent(2),
	}),
	'a stop in n8n of an agent': () => ({
		items: ONE,
		node: AS_TOOL,
		faults: [SLOW],
		stopsWhen: whenSent(1),
	}),
};

/** Runs one, after those before it. */
async function play({
	parameters = generate(IN_ORDER),
	faults = [],
	before = [],
	isRetry = false,
	stopsWhen,
	...what
}: Run): Promise<EngineResult> {
	let earlier: EngineResult | undefined;
	for (const { isApart = false, ...each } of before) {
		const result = await play(each);
		if (!isApart) earlier = result;
	}
	for (const fault of faults) fixture.sandbox.arm(fault);
	if (isRetry && earlier !== undefined) return await fixture.retry(earlier, parameters, what);
	const { result, stop } = fixture.start(parameters, what);
	if (stopsWhen !== undefined) {
		await until(stopsWhen);
		stop();
	}
	const ended = await result;
	fixture.sandbox.disarm();
	return ended;
}

/** What people read of a run: its hints, or the error that stops it. */
function saidBy(result: EngineResult): string[] {
	const { error } = result;
	const lines =
		error === undefined
			? (allHintsOf(result) ?? [])
			: [error.message, ...(error.description ?? '').split('\n')];
	const text = lines
		.join('\n')
		.replaceAll(fixture.sandbox.url, 'https://service.example')
		.replace(/bought \w+ at \d\d:\d\d/g, 'bought today at 11:00')
		.replace(/\((?:read ECONNRESET|socket hang up)\)/g, '(the reason)');
	const named = fixture
		.charges()
		.map(({ jobId }) => jobId)
		.filter((jobId) => text.includes(jobId))
		.sort((a, b) => text.indexOf(a) - text.indexOf(b));
	const said = named
		.reduce((words, jobId, index) => words.replaceAll(jobId, `job-${index + 1}`), text)
		.split('\n');
	// A page of fifty equal lines would say no more.
	return said.length < 40 ? said : [...said.slice(0, 7), '…', ...said.slice(-2)];
}

/** A page of the snapshot: each text under what happened. */
async function pageOf(runs: Record<string, () => Promise<Run> | Run>): Promise<string> {
	const parts: string[] = [];
	for (const [what, run] of Object.entries(runs)) {
		forgetPurchases();
		const result = await play(await run());
		// More boxes would hide the output, and n8n's templates take a line of plain text.
		expect(allHintsOf(result)?.length ?? 0).toBeLessThanOrEqual(3);
		expect(result.error?.context?.descriptionTemplate ?? '').not.toMatch(/\n|<b>/);
		parts.push([`# ${what}`, ...saidBy(result)].join('\n').trim());
	}
	return parts.join('\n\n');
}

// Other tests look for facts, so that a better wording changes only this page.
it('says above the output what a run cost, and what a person must look at', async () => {
	expect(await pageOf(HINTS)).toMatchSnapshot();
});

it('says in the error that stops the node what happened, what to do, and what is paid for', async () => {
	expect(await pageOf(STOPS)).toMatchSnapshot();
});

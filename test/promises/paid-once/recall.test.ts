import { Readable } from 'node:stream';

import { NodeRun } from '../../../nodes/ImageGeneration/recall/nodeRun';
import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import type { Policy } from '../../../nodes/ImageGeneration/recall/recall';
import { fileOf } from '../../../nodes/ImageGeneration/recall/requestKey';
import type { Job, JobRequest } from '../../../nodes/ImageGeneration/types';
import { jobWith, resultOf } from '../../support/jobs';
import { purchaseWith as purchaseAt } from '../../support/purchaseWith';
import { recallingRun } from '../../support/recalling';

const HOUR = 60 * 60 * 1000;
const MINUTE = 60 * 1000;
/** The time at which {@link recallingRun} begins. */
const NOW = Date.parse('2026-11-28T12:00:00Z');

/** A purchase of `a node`, published, an hour ago. */
const purchaseWith = (more: Partial<Purchase> = {}) => purchaseAt({ time: NOW - HOUR, ...more });

const cutOut: JobRequest = { model: 'background-remover', textParts: {} };
const cutOutOfAddress: JobRequest = { ...cutOut, textParts: { image: 'https://example.com/a' } };

/** Who asks for an image. */
const WHO = {
	default: { job: jobWith() },
	fixed: { job: jobWith({ isFixed: true }) },
	'cut-out': { job: jobWith({ request: cutOut }) },
	editor: { job: jobWith(), policy: 'editor', isManual: true },
	always: { job: jobWith(), policy: 'always' },
	never: { job: jobWith(), policy: 'never' },
	'never-in-editor': { job: jobWith(), policy: 'never', isManual: true },
} as const satisfies Record<string, { job: Job; policy?: Policy; isManual?: boolean }>;

type Who = keyof typeof WHO;

const who = Object.keys(WHO) as Who[];

/** Those who find an image that is there. */
async function whoFinds(world: Parameters<typeof recallingRun>[0]): Promise<string> {
	const finding: string[] = [];
	for (const name of who) {
		const { job, ...asking } = WHO[name];
		const { recall } = recallingRun({ ...world, ...asking });
		await recall.read([job]);
		if ((await recall.find(job)) !== undefined) finding.push(name);
	}
	return finding.join(' ');
}

const ALL = 'default fixed cut-out editor always never';

/** What this process knows of an image, and who may have it. */
const KNOWN: Array<[what: string, Partial<Purchase>, finding: string]> = [
	['that nobody has', { holder: '' }, ALL],
	['whose holder failed', { holder: 'failed' }, 'default cut-out editor always'],
	['whose holder ended well', { holder: 'ended well' }, 'cut-out editor always'],
	['whose holder was ended by Stop And Error', { holder: 'rejected' }, 'cut-out editor always'],
	['whose holder n8n does not know', { holder: 'deleted' }, 'cut-out editor always'],
	['whose holder goes on', { holder: 'live' }, 'cut-out always'],
	['that this execution has, in this round', { holder: '9' }, 'cut-out editor always'],
	['that this execution has, in an earlier round', { holder: '9', round: 1 }, 'cut-out always'],
	[
		'that the editor bought, and nobody has',
		{ holder: '', isManual: true },
		'cut-out editor always never-in-editor',
	],
	[
		'that the editor bought, and whose holder failed',
		{ holder: 'failed', isManual: true },
		'cut-out editor always',
	],
	['of another node, that nobody has', { holder: '', node: 'another' }, 'cut-out editor always'],
	[
		'of another node, whose holder failed',
		{ holder: 'failed', node: 'another' },
		'cut-out editor always',
	],
	[
		'that another account bought, and nobody has',
		{ holder: '', accounts: ['another'] },
		'default fixed cut-out never',
	],
	[
		'of another account, whose holder ended well',
		{ holder: 'ended well', accounts: ['another'] },
		'',
	],
	['that is 80 hours old', { holder: '', time: NOW - 80 * HOUR }, ALL],
	['that is older', { holder: '', time: NOW - 80 * HOUR - 1 }, ''],
	['without a result', { holder: '', result: undefined }, ''],
	['of another request', { holder: '', request: 'another' }, ''],
];

it.each(KNOWN)('an image %s may be had by: %p %s', async (_what, more, finding) => {
	expect(await whoFinds({ purchases: [purchaseWith(more)] })).toBe(finding);
});

it('an image that an earlier round has returned, or the run that Retry continues, is no copy, but for Always and cut-outs', async () => {
	const purchase = purchaseWith({ holder: '' });
	const returned = [resultOf('owl').output_url];

	expect(await whoFinds({ purchases: [purchase], returned })).toBe('cut-out always');
});

/** What only a Purchase Log lists: rows name no account, and Always may have all of them. */
const LISTED: Array<[what: string, Partial<Purchase>, finding: string]> = [
	['that nobody has', { holder: '' }, ALL],
	['whose holder failed', { holder: 'failed' }, 'default cut-out editor always'],
	['whose holder ended well', { holder: 'ended well' }, 'cut-out editor always'],
	['of another node, that nobody has', { holder: '', node: 'another' }, 'cut-out editor always'],
	['that is a year old', { holder: 'ended well', time: NOW - 365 * 24 * HOUR }, 'always'],
	['without a result', { holder: '', result: undefined }, ''],
];

it.each(LISTED)(
	'an image that a log lists, %s, may be had by: %p %s',
	async (_what, more, finding) => {
		expect(await whoFinds({ rows: [purchaseWith(more)] })).toBe(finding);
	},
);

it.each([
	['failed', 'failed', 'default cut-out editor always'],
	['failed', 'ended well', 'cut-out editor always'],
	['', 'failed', 'default cut-out editor always'],
	['', 'live', 'cut-out always'],
	['ended well', '', 'cut-out editor always'],
])(
	'where journal and log name two holders, "%s" and "%s", both must pass',
	async (one, other, finding) => {
		const purchase = purchaseWith({ holder: one });

		expect(await whoFinds({ purchases: [purchase], rows: [{ ...purchase, holder: other }] })).toBe(
			finding,
		);
	},
);

it('a result that only the log has is that of the purchase', async () => {
	const purchase = purchaseWith({ holder: '', result: undefined });
	const { recall } = recallingRun({
		purchases: [purchase],
		rows: [{ ...purchase, result: resultOf('fox') }],
	});
	const job = jobWith();
	await recall.read([job]);

	expect(await recall.find(job)).toMatchObject({ purchase: { result: resultOf('fox') } });
});

it.each([
	['of the last ten minutes is there', 10 * MINUTE, 'ended well', true],
	['of longer ago is not', 10 * MINUTE + 1, 'ended well', false],
	['of longer ago is, if its holder failed', 11 * MINUTE, 'failed', true],
])('a cut-out of the same address %s', async (_what, age, holder, expected) => {
	const { recall } = recallingRun({ purchases: [purchaseWith({ holder, time: NOW - age })] });
	const found = await recall.find(jobWith({ request: cutOutOfAddress }));

	expect(found !== undefined).toBe(expected);
});

describe('of several images', () => {
	const entryFound = async (...purchases: Purchase[]) =>
		(await recallingRun({ policy: 'always', purchases }).recall.find(jobWith()))?.purchase.entry;
	const [old, late] = [
		purchaseWith({ entry: 'old', time: NOW - 2 * HOUR, node: 'another' }),
		purchaseWith({ entry: 'late', node: 'another' }),
	];

	it('the newest is taken', async () => {
		expect(await entryFound(late, old)).toBe('late');
		expect(await entryFound(old, late)).toBe('late');
	});

	it('that of the own node and round comes first', async () => {
		const own = { time: NOW - 3 * HOUR, holder: 'failed' };

		expect(await entryFound(old, purchaseWith({ entry: 'own', ...own }), late)).toBe('own');
		expect(await entryFound(old, purchaseWith({ entry: 'own', round: 1, ...own }), late)).toBe(
			'late',
		);
	});

	it('the next one is taken if the run may not have the newest', async () => {
		const { recall } = recallingRun({
			purchases: [
				purchaseWith({ entry: 'failed', holder: 'failed', time: NOW - 2 * HOUR }),
				purchaseWith({ entry: 'well', holder: 'ended well' }),
			],
		});

		expect((await recall.find(jobWith()))?.purchase.entry).toBe('failed');
	});
});

describe('a file', () => {
	/** A job for a file of these bytes. */
	function jobOf(bytes: string) {
		const open = jest.fn(async () => Readable.from([Buffer.from(bytes)]));
		const file = { name: 'a.png', type: 'image/png', size: bytes.length, start: '', open };
		return { job: jobWith({ request: { ...cutOut, file: { ...file, sha256: undefined } } }), open };
	}

	it('that begins alike and goes on differently has another image', async () => {
		const file = await fileOf(jobOf('a file').job.request);
		const { recall } = recallingRun({ purchases: [purchaseWith({ file })] });

		expect(await recall.find(jobOf('a file').job)).toBeDefined();
		expect(await recall.find(jobOf('a lion').job)).toBeUndefined();
	});

	it('is read only if the bytes of an equal request are known', async () => {
		const [known, unknown] = [jobOf('a file'), jobOf('a file')];
		await recallingRun({ purchases: [purchaseWith({ file: 'a hash' })] }).recall.learnFile(
			known.job,
		);
		await recallingRun({ purchases: [purchaseWith()] }).recall.learnFile(unknown.job);

		expect(known.open).toHaveBeenCalledTimes(1);
		expect(unknown.open).not.toHaveBeenCalled();
	});
});

it('the log is read once for all requests, 80 hours back, and by Always to its beginning', async () => {
	const jobs = ['a', 'b', 'a'].map((requestKey) => jobWith({ requestKey }));
	for (const [policy, since] of [
		['next run', NOW - 80 * HOUR],
		['always', 0],
	] as const) {
		const { recall, reads } = recallingRun({ policy, rows: [] });
		await recall.read(jobs);

		expect(reads).toStrictEqual([{ requests: ['a', 'b'], since }]);
	}
});

it('one request asks n8n about twenty executions, and buys if it may have none of their images', async () => {
	const purchases = Array.from({ length: 30 }, (_, index) =>
		purchaseWith({ holder: `well ${index}` }),
	);
	const { recall, asked } = recallingRun({ purchases });

	expect(await recall.find(jobWith())).toBeUndefined();
	expect(asked).toHaveLength(20);
});

it('an image whose link did not give it is not found by the run again, but another one is', async () => {
	const dead = purchaseWith({ entry: 'dead', holder: '' });
	const older = purchaseWith({ entry: 'older', holder: '', time: NOW - 2 * HOUR });
	const { recall } = recallingRun({ purchases: [older, dead] });
	recall.markDead(dead);

	expect((await recall.find(jobWith()))?.purchase.entry).toBe('older');
});

it('a run that is stopped finds nothing more', async () => {
	const { recall, stop } = recallingRun({ purchases: [purchaseWith({ holder: '' })] });
	stop.abort();

	expect(await recall.find(jobWith())).toBeUndefined();
});

describe('a request in progress', () => {
	/** Those who wait for it. */
	async function whoWaits(more: Partial<Purchase>, isStopped: boolean): Promise<string> {
		const waiting: string[] = [];
		for (const name of who) {
			const { job, ...asking } = WHO[name];
			const { recall, enter } = recallingRun(asking);
			const flying = new NodeRun('a node', '8', 0, 0);
			flying.isOver = isStopped;
			enter(purchaseAt({ time: NOW - MINUTE, result: undefined, ...more }), flying);
			if ((await recall.flightFor(job)) !== undefined) waiting.push(name);
		}
		return waiting.join(' ');
	}

	it.each<[what: string, more: Partial<Purchase>, isStopped: boolean, waiting: string]>([
		['of a run that goes on', {}, false, 'cut-out always'],
		['of a stopped run', {}, true, ALL],
		[
			'of a stopped run of the editor',
			{ isManual: true },
			true,
			'cut-out editor always never-in-editor',
		],
		['of a stopped run of another node', { node: 'another' }, true, 'cut-out editor always'],
		['of another account', { accounts: ['another'] }, false, ''],
		[
			'of another account, of a stopped run',
			{ accounts: ['another'] },
			true,
			'default fixed cut-out never',
		],
		['that is two minutes old', { time: NOW - 2 * MINUTE }, true, ''],
		['for another image', { request: 'another' }, true, ''],
	])('%s is awaited by: %p stopped: %p %s', async (_what, more, isStopped, waiting) => {
		expect(await whoWaits(more, isStopped)).toBe(waiting);
	});

	it.each<[what: string, more: Partial<Purchase>, isAwaited: boolean]>([
		['an equal call of an agent', {}, true],
		['an equal call on another account', { accounts: ['another'] }, false],
		['an equal call of another node', { node: 'another' }, false],
	])('that is %s is awaited by an agent’s call: %p', async (_what, more, isAwaited) => {
		const { recall, enter } = recallingRun({ policy: 'agent' });
		enter(purchaseAt({ time: NOW - MINUTE, result: undefined, ...more }));

		expect((await recall.flightFor(jobWith())) !== undefined).toBe(isAwaited);
	});

	it('gives its image to the agent’s call that has waited for it, and to no other run', () => {
		const purchase = purchaseAt({ time: NOW, holder: 'live' });
		for (const policy of ['agent', 'next run'] as const) {
			const { recall, enter } = recallingRun({ policy });
			const found = recall.imageOfEqualCall(enter(purchase));

			expect(found?.purchase).toBe(policy === 'agent' ? purchase : undefined);
		}
	});

	it('of the own run is no reason to wait, so that nobody waits for itself', async () => {
		const { recall, enter, run } = recallingRun({ policy: 'always' });
		enter(purchaseAt({ time: NOW, result: undefined }), run);

		expect(await recall.flightFor(jobWith())).toBeUndefined();
	});

	it('is awaited until it is two minutes old, or the run is stopped', async () => {
		const { recall, enter, clock, stop } = recallingRun({ policy: 'always' });
		const flight = enter(purchaseAt({ time: NOW - 30_000, result: undefined }));
		await clock.run(recall.waitFor(flight));
		expect(clock.now).toBe(90_000);
		stop.abort();

		await expect(recall.waitFor(flight)).resolves.toBeUndefined();
	});

	it('is awaited no longer than it takes', async () => {
		const { recall, enter, clock } = recallingRun({ policy: 'always' });
		const flight = enter(purchaseAt({ time: NOW, result: undefined }));
		await recall.waitFor({ ...flight, settled: Promise.resolve() });

		expect(clock.now).toBe(0);
	});
});

describe('the last look, in the tick in which an image would be bought,', () => {
	it.each<[asking: Who, looks: boolean]>([
		['always', true],
		['cut-out', true],
		['default', false],
		['editor', false],
		['never', false],
	])('of %s finds what came in meanwhile: %p', (name, looks) => {
		const { job, ...asking } = WHO[name];
		const found = recallingRun({ ...asking, purchases: [purchaseWith({ holder: '' })] });
		expect(found.recall.lookNow(job) !== undefined).toBe(looks);
		const { recall, enter } = recallingRun(asking);
		const flight = enter(purchaseAt({ time: NOW, result: undefined }));

		expect(recall.lookNow(job)).toBe(looks ? flight : undefined);
	});
});

describe('an earlier request without an answer', () => {
	const unclear = purchaseWith({ entry: 'unclear', result: undefined });

	it('is told to who buys the same again', async () => {
		const { recall } = recallingRun({ purchases: [unclear], rows: [{ ...unclear }] });
		const job = jobWith();
		await recall.read([job]);

		const entries = recall.unclearBefore(job).map(({ entry }) => entry);
		expect([...new Set(entries)]).toStrictEqual(['unclear']);
	});

	it.each<[what: string, Purchase]>([
		['of another node', { ...unclear, node: 'another' }],
		['that was answered', purchaseWith()],
		['for another image', { ...unclear, request: 'another' }],
	])('is none if it is one %s', (_what, purchase) => {
		expect(recallingRun({ purchases: [purchase] }).recall.unclearBefore(jobWith())).toStrictEqual(
			[],
		);
	});

	it('is none as long as a run that goes on expects it', () => {
		const { recall, enter } = recallingRun();
		enter(unclear);

		expect(recall.unclearBefore(jobWith())).toStrictEqual([]);
	});
});

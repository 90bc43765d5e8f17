import type { StoredRow } from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { FOX, OWL, resultOf } from '../support/jobs';
import { memoryTable } from '../support/memoryTable';
import { recordingRun } from '../support/recordingRun';
import { TestClock } from '../support/testClock';

/** A Purchase Log that may be away, and runs that use it and note what it lacks. */
function failingLog() {
	const log = memoryTable();
	const process = new TestClock().process('here');
	const missing: Array<string | undefined> = [];
	const begin = () =>
		recordingRun({
			recording: {
				table: log.table,
				process,
				onMissing: (label) => missing.push(label),
			},
		});
	const purchases = (): StoredRow[] => log.rows.filter(({ state }) => state !== 'running');
	return { log, begin, missing, purchases };
}

/** Lets everything go on that waits for nothing. */
const settled = async () => {
	await new Promise(setImmediate);
};

describe('a Purchase Log that is away', () => {
	it.each(['before', 'after'] as const)(
		'%s a request is written lets nothing be sent, and keeps no row of it',
		async (when) => {
			const { log, begin, purchases } = failingLog();
			const run = begin();
			await run.buy(FOX, resultOf('fox'));
			await settled();
			log.fail(when);
			await expect(run.purchases.send(OWL)).rejects.toThrow('The table is away.');
			await run.end('failed');

			expect(purchases()).toMatchObject([{ link: 'https://example.com/fox', state: 'failed' }]);
		},
	);

	it.each(['before', 'after'] as const)(
		'%s a result is written gets it as the run ends, and lacks nothing',
		async (when) => {
			const { log, begin, purchases, missing } = failingLog();
			const run = begin();
			await run.purchases.send(OWL);
			log.fail(when);
			await run.purchases.bought(OWL, resultOf('owl'));
			await settled();
			await run.end('delivered');

			expect(purchases()).toMatchObject([{ link: 'https://example.com/owl', state: 'delivered' }]);
			expect(missing).toStrictEqual([]);
		},
	);

	it('as a run ends is said for each image and the run, and the next run writes it before it reads', async () => {
		const { log, begin, purchases, missing } = failingLog();
		const run = begin();
		await run.purchases.send(OWL);
		log.fail('before', 'before', 'before');
		await run.purchases.bought(OWL, resultOf('owl'));
		await run.end('delivered');
		expect(purchases()).toMatchObject([{ link: '', state: 'sent' }]);
		expect(missing).toStrictEqual(['Item 1, "A fox"', undefined]);

		expect(await begin().take(OWL)).toStrictEqual([undefined]);
		expect(purchases()).toMatchObject([{ link: 'https://example.com/owl', state: 'delivered' }]);
	});

	it('after Stop leaves the image to the next run', async () => {
		const { log, begin } = failingLog();
		const run = begin();
		await run.purchases.send(OWL);
		log.fail('before', 'before', 'before');
		await run.purchases.bought(OWL, resultOf('owl'));
		run.stop();
		await run.end('stopped');

		expect(await begin().take(OWL)).toStrictEqual(['owl']);
	});

	it('stops the next run before it buys, if it still is', async () => {
		const { log, begin } = failingLog();
		const run = begin();
		await run.purchases.send(OWL);
		log.fail('before', 'before', 'before');
		await run.purchases.bought(OWL, resultOf('owl'));
		await run.end('delivered');
		log.fail('before', 'before');

		await expect(begin().recall([FOX])).rejects.toThrow('The table is away.');
	});
});

it('a request that is definitely not charged leaves no row, and its run no row of the process', async () => {
	const { log, begin } = failingLog();
	const run = begin();
	await run.purchases.send(OWL);
	run.purchases.notCharged(OWL);
	await run.end('failed');

	expect(log.rows).toStrictEqual([]);
});

it('a row shows people what was bought, with what and where', async () => {
	const { begin, purchases } = failingLog();
	const run = begin();
	const textParts = {
		text: 'An owl',
		image_generator_version: 'super_genius',
		resolution: '4k',
		width: '1024',
		height: '720',
	};
	await run.buy({ ...OWL, request: { model: 'text2img', textParts } }, resultOf('owl'));
	await run.end('delivered');

	expect(purchases()).toMatchObject([
		{
			image: 'Item 1, "A fox"',
			link: 'https://example.com/owl',
			state: 'delivered',
			operation: 'generate',
			quality: 'super_genius 4k',
			size: '1024x720',
			workflow: 'A workflow',
			execution: run.execution,
		},
	]);
});

import type { StoredExecution } from '../../nodes/ImageGeneration/execution';
import { LEASE } from '../../nodes/ImageGeneration/recall/process/lease';
import type { StoredRow } from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { FOX, OWL, resultOf } from '../support/jobs';
import { memoryTable, storedRow } from '../support/memoryTable';
import { recordingRun, stored, type RecordingRun } from '../support/recordingRun';
import { TestClock } from '../support/testClock';

const LINK = 'https://example.com/owl';

/** A table of these rows, and runs that tell of them. */
function logOf(...rows: Array<Partial<StoredRow>>) {
	const log = memoryTable(rows.map((row, index) => storedRow({ id: index + 1, ...row })));
	const clock = new TestClock();
	const processes = { here: clock.process('here'), elsewhere: clock.process('elsewhere') };
	const questions: string[] = [];
	const begin = (name: keyof typeof processes = 'here', answer?: StoredExecution) =>
		recordingRun({
			recording: {
				table: log.table,
				process: processes[name],
				n8n: async (id) => {
					questions.push(id);
					return await Promise.resolve(answer);
				},
			},
		});
	return { log, clock, begin, questions };
}

/** The ids of the rows that a run tells of. */
const toldBy = async (run: RecordingRun) => (await run.purchases.tell()).map(({ row }) => row.id);
const processRow = { run: 'there', state: 'running' } as const;

describe('a run tells', () => {
	it('of a process that died, once, and removes its row', async () => {
		const { log, begin } = logOf(
			{ state: 'bought' },
			{ state: 'sent', link: '', result: '' },
			{ state: 'unclear', link: '', result: '' },
			{ state: 'delivered' },
			{ state: 'failed' },
			{ state: 'bought', node: 'another', run: 'there.2' },
		);
		const first = begin();
		expect(await toldBy(first)).toStrictEqual([1, 2]);
		expect(await toldBy(begin())).toStrictEqual([]);

		const states = log.rows.map(({ state }) => state);
		expect(states).toStrictEqual(['told', 'told', 'unclear', 'delivered', 'failed', 'bought']);
		expect(log.rows[0]?.run).toBe(first.record.name);
	});

	it('nothing of a process that lives, whose row stays', async () => {
		const { log, begin, clock } = logOf({ state: 'bought' }, processRow);
		expect(await clock.run(toldBy(begin()))).toStrictEqual([]);
		expect(log.rows).toMatchObject([{ state: 'bought' }, processRow]);

		clock.now += LEASE;
		expect(await toldBy(begin())).toStrictEqual([1]);
		expect(log.rows.map(({ state }) => state)).toStrictEqual(['told']);
	});

	it('nothing of an image that n8n has stored, although its run could not write its end', async () => {
		const { log, begin } = logOf({ state: 'bought' });
		const answer = stored({ links: [LINK], lastNodeEnd: Date.now() + 1000 });

		expect(await toldBy(begin('here', answer))).toStrictEqual([]);
		expect(log.rows).toMatchObject([{ state: 'delivered' }]);
	});

	it('of many images that one execution left after a single question about it', async () => {
		const rows = Array.from({ length: 30 }, () => ({ state: 'bought' }) as const);
		const { begin, questions } = logOf(...rows);
		expect(await toldBy(begin())).toHaveLength(30);

		expect(questions).toStrictEqual(['7']);
	});

	it('nothing of what a run of its process delivered, although its end is still to be written', async () => {
		const { log, begin } = logOf();
		const teller = begin();
		await teller.recall([FOX]);
		const first = begin();
		await first.buy(OWL, resultOf('owl'));
		await new Promise(setImmediate);
		log.fail('before');
		await first.end('delivered');
		expect(log.rows).toMatchObject([{ state: 'bought' }]);

		expect(await toldBy(teller)).toStrictEqual([]);
		await teller.end('delivered');
		expect(log.rows).toMatchObject([{ link: LINK, state: 'delivered' }]);
	});

	it('of a request whose process stands still, whose image the next run has all the same', async () => {
		const { begin, clock } = logOf();
		const frozen = begin('elsewhere');
		await frozen.purchases.send(OWL);
		const other = begin();
		await toldBy(other);
		clock.now += LEASE;
		expect(await toldBy(other)).toHaveLength(1);
		await frozen.purchases.bought(OWL, resultOf('owl'));
		frozen.stop();
		await frozen.end('stopped');

		expect(await begin().take(OWL)).toStrictEqual(['owl']);
	});

	it('in as many calls of three thousand rows as of three', async () => {
		const callsFor = async (count: number) => {
			const rows = Array.from({ length: count }, () => ({ state: 'stopped' }) as const);
			const { log, begin } = logOf(...rows);
			expect(await toldBy(begin())).toHaveLength(count);
			return log.calls;
		};

		expect(await callsFor(3000)).toStrictEqual(await callsFor(3));
	});

	it('in one call if there is nothing to tell', async () => {
		const { log, begin } = logOf({ state: 'delivered' });
		await toldBy(begin());

		expect(log.calls).toStrictEqual(['read']);
	});

	it('what another run does not, if two processes meet', async () => {
		const { begin } = logOf({ state: 'stopped' }, { state: 'bought' });
		const [first, second] = [toldBy(begin('here')), toldBy(begin('elsewhere'))];

		expect([...(await first), ...(await second)].sort()).toStrictEqual([1, 2]);
	});

	it('later if the table is away', async () => {
		const { log, begin } = logOf({ state: 'stopped' });
		log.fail('before');
		await expect(toldBy(begin())).rejects.toThrow('The table is away.');

		expect(await toldBy(begin())).toStrictEqual([1]);
	});

	it('whatever people made of the rows, and each by itself', async () => {
		const { begin } = logOf(
			{ state: 'stopped', link: 'nonsense', result: '' },
			{ state: 'stopped', run: '' },
			{ state: 'bought', run: '' },
			{ state: 'stopped', execution: '12', request: '' },
		);

		expect((await toldBy(begin())).sort()).toStrictEqual([1, 2, 3, 4]);
	});
});

import { keepAlive } from '../../nodes/ImageGeneration/recall/leases';
import type { Condition, PurchaseRow } from '../../nodes/ImageGeneration/recall/purchaseTable';
import { RunRows, type RecordingRun } from '../../nodes/ImageGeneration/recall/recordingRun';

describe('a run that goes on', () => {
	/** Lets ten seconds pass. @returns when which rows were renewed, as far as the table has them. */
	async function renewals(rows: Partial<RunRows>, has: string[], isShared = true) {
		let now = 0;
		const ended = new AbortController();
		const renewed: Array<[at: number, ...Array<string | number>]> = [];
		const recording = {
			clock: {
				now: () => now,
				wait: async (ms: number) => {
					now += ms;
					if (now > 10_000) ended.abort();
					await Promise.resolve();
				},
			},
			place: { run: 'here.1' },
			rows: Object.assign(new RunRows(), rows),
			table: {
				isShared,
				update: async (all: Condition[], change: object) => {
					expect(change).toStrictEqual({ run: 'here.1' });
					const [[column = '', , value = ''] = [], ...rest] = all;
					expect(rest).toStrictEqual([['run', 'eq', 'here.1']]);
					renewed.push([now, column, value]);
					if (value === 'unreachable') throw new Error('The table did not answer');
					return await Promise.resolve(has.filter((entry) => entry === value));
				},
			},
		} as unknown as RecordingRun;
		await keepAlive(recording, ended.signal);
		return renewed;
	}
	const lasting = ['entry', 'eq', 'bought'] as const;
	const unsettled = new Map(['sent', 'sent later'].map((entry) => [entry, {} as PurchaseRow]));

	const boughtAt = (...times: number[]) => times.map((at) => [at, 'entry', 'bought']);

	it('renews a row that stays every three seconds, but none that it has just written', async () => {
		const rows = { lasting, unsettled };
		expect(await renewals(rows, ['bought'])).toStrictEqual(boughtAt(0, 3000, 6000, 9000));

		const written = { ...rows, renewedAt: 1000 };
		expect(await renewals(written, ['bought'])).toStrictEqual(boughtAt(4000, 7000, 10_000));
	});

	it('renews the row of an open request if no other one is there', async () => {
		const expected = [0, 3000, 6000, 9000].flatMap((at) => [
			[at, 'entry', 'bought'],
			[at, 'entry', 'sent'],
		]);

		expect(await renewals({ lasting, unsettled }, [])).toStrictEqual(expected);
		expect(await renewals({ unsettled }, [])).toStrictEqual(
			expected.filter(([, , entry]) => entry === 'sent'),
		);
		const unreachable = ['entry', 'eq', 'unreachable'] as const;
		expect((await renewals({ lasting: unreachable, unsettled }, [])).length).toBe(8);
	});

	it('renews nothing if there is nothing, or nobody else to see it', async () => {
		expect(await renewals({}, [])).toStrictEqual([]);
		expect(await renewals({ lasting }, ['bought'], false)).toStrictEqual([]);
	});
});

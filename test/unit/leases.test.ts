import { keepAlive } from '../../nodes/ImageGeneration/recall/leases';
import type { PurchaseRow } from '../../nodes/ImageGeneration/recall/purchaseTable';
import { RecordedRun, type Recording } from '../../nodes/ImageGeneration/recall/recordingRun';
import { jobFor } from '../support/jobs';

describe('a run that goes on', () => {
	/** Lets ten seconds pass. @returns when which entries were renewed, as far as the table has them. */
	async function renewals(run: Partial<RecordedRun>, has: string[], isShared = true) {
		let now = 0;
		const ended = new AbortController();
		const renewed: Array<[at: number, entry: string]> = [];
		const recording = {
			process: {
				wait: async (ms: number) => {
					now += ms;
					if (now > 10_000) ended.abort();
					await Promise.resolve();
				},
			},
			run: Object.assign(new RecordedRun('here.1'), run),
			table: {
				isShared,
				update: async ({ entry = '', run: name }: Partial<PurchaseRow>, change: object) => {
					expect([name, change]).toStrictEqual(['here.1', { run: 'here.1' }]);
					renewed.push([now, entry]);
					if (entry === 'unreachable') throw new Error('The table did not answer');
					return await Promise.resolve(has.filter((each) => each === entry));
				},
			},
		} as unknown as Recording;
		await keepAlive(recording, ended.signal);
		return renewed;
	}
	const lasting = 'bought';
	const unsettled = new Map(
		['sent', 'sent later'].map((entry) => [jobFor(entry), { entry } as PurchaseRow]),
	);

	const times = [0, 3000, 6000, 9000];

	it('renews a row that stays every three seconds, unless another one is new', async () => {
		const expected = times.map((at) => [at, 'bought']);

		expect(await renewals({ lasting, unsettled }, ['bought'])).toStrictEqual(expected);
		const run = { lasting, unsettled, hasWritten: true };
		expect(await renewals(run, ['bought'])).toStrictEqual(expected.slice(1));
	});

	it('renews the row of an open request if no other one is there', async () => {
		const expected = times.flatMap((at) => [
			[at, 'bought'],
			[at, 'sent'],
		]);

		expect(await renewals({ lasting, unsettled }, [])).toStrictEqual(expected);
		expect(await renewals({ unsettled }, [])).toStrictEqual(
			expected.filter(([, entry]) => entry === 'sent'),
		);
		expect((await renewals({ lasting: 'unreachable', unsettled }, [])).length).toBe(8);
	});

	it('renews nothing if there is nothing, or nobody else to see it', async () => {
		expect(await renewals({}, [])).toStrictEqual([]);
		expect(await renewals({ lasting }, ['bought'], false)).toStrictEqual([]);
	});
});

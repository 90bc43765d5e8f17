import { findRequests } from '../../nodes/ImageGeneration/recall/findRequests';
import {
	findDead,
	LEASE,
	RENEWAL,
	type NodeProcess,
} from '../../nodes/ImageGeneration/recall/leases';
import { processTable } from '../../nodes/ImageGeneration/recall/processTable';
import type { StoredRow } from '../../nodes/ImageGeneration/recall/purchaseTable';

const newProcess = (): NodeProcess => ({
	...{ name: 'here', names: 0, live: new Map(), sightings: new Map() },
});
const rowOf = (run: string, changed = 0): StoredRow => ({
	...{ id: 1, createdAt: '', updatedAt: new Date(changed).toISOString(), run, state: 'bought' },
	...{ image: '', link: 'https://example.com/owl', operation: '', workflow: '', execution: '2' },
	...{ node: 'a node', request: '', job: '', entry: 'an entry', result: '' },
});

it.each([-60_000, 0, 60_000])(
	'a run counts as alive while it changes rows, and for a lease after that, if its clock is %i ms off the database’s',
	(offset) => {
		const here = newProcess();
		const added: StoredRow[] = [];
		const renewed = rowOf('there.1');
		const looksDead = (at: number) => findDead(here, [renewed, ...added], at, at).size > 0;
		let at = 0;
		for (; at < 10 * LEASE; at += RENEWAL) {
			// The database dates what it adds, the process what it changes.
			if ((at / RENEWAL) % 10 < 5) added.push(rowOf('there.1', at));
			else renewed.updatedAt = new Date(at + offset).toISOString();

			expect(looksDead(at)).toBe(false);
		}
		at -= RENEWAL;

		expect(looksDead(at + LEASE - 1)).toBe(false);
		expect(looksDead(at + LEASE)).toBe(true);
	},
);

it('a run that begins while another one of its process reads the rows keeps its images', async () => {
	const here = newProcess();
	const found = await findRequests({
		table: {
			...processTable,
			read: async () => {
				here.live.set('here.2', undefined);
				return await Promise.resolve([rowOf('here.2')]);
			},
		},
		...{ process: here, clock: { now: () => 0, wait: async () => await Promise.resolve() } },
		...{ run: 'here.1', node: 'a node', execution: '1', repeats: false, all: false },
		signal: undefined,
		...{ requests: async () => await Promise.resolve(new Set()) },
	});

	expect(found.map(({ isAbandoned }) => isAbandoned)).toEqual([false]);
});

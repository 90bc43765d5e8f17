import { LEASE } from '../../nodes/ImageGeneration/recall/process/lease';
import { Sightings } from '../../nodes/ImageGeneration/recall/process/sightings';
import { memoryTable, storedRow } from '../support/memoryTable';
import { TestClock } from '../support/testClock';

/** The row of a process. @param updatedAt changes with each sign of life */
const row = (updatedAt: string, run = 'there') =>
	storedRow({ id: 1, run, state: 'running', updatedAt });

describe('another process', () => {
	it('is dead without a row, or once its row has stood still for the length of a lease', () => {
		const sightings = new Sightings();
		const isDead = (rows: ReturnType<typeof row>[], at: number) => {
			sightings.note(rows, at, at);
			return sightings.isDead('there.1');
		};

		expect(isDead([], 0)).toBe(true);
		expect(isDead([row('a')], 1000)).toBe(false);
		expect(isDead([row('a')], 1000 + LEASE - 1)).toBe(false);
		expect(isDead([row('a')], 1000 + LEASE)).toBe(true);
		expect(isDead([row('b')], 1001 + LEASE)).toBe(false);
	});

	it('counts as alive for the time that reading its row took', () => {
		const sightings = new Sightings();
		sightings.note([row('a')], 0, LEASE);
		sightings.note([row('a')], 2 * LEASE - 1, 3 * LEASE);

		expect(sightings.lastSign('there')).toBe(LEASE);
		expect(sightings.isDead('there.1')).toBe(false);
	});

	it('is not judged by a look that began before one which has already returned', () => {
		const sightings = new Sightings();
		sightings.note([row('a')], 10, 20);
		sightings.note([], 5, 30);

		expect(sightings.isDead('there.1')).toBe(false);
	});

	it('shows a sign of life by any of its rows, if it has written a second one', () => {
		const sightings = new Sightings();
		const first = row('a');
		const second = { ...row('a'), id: 2 };
		sightings.note([first, second], 0, 0);
		sightings.note([first, { ...second, updatedAt: 'b' }], LEASE, LEASE);

		expect(sightings.lastSign('there')).toBe(LEASE);
	});

	it('shows none by having another row in another table', () => {
		const process = new TestClock().process('here');
		const { table } = memoryTable();
		const { sightings } = process.stateOf(table);
		const other = process.stateOf({ ...table, name: 'another table' }).sightings;
		sightings.note([row('a')], 0, 0);
		other.note([row('b')], 1, 1);
		sightings.note([row('a')], 2, 2);

		expect(sightings.lastSign('there')).toBe(0);
	});

	it('is forgotten after a thousand others, unless all of them have rows', () => {
		const sightings = new Sightings();
		const many = (count: number) =>
			Array.from({ length: count }, (_, index) => row('a', `other ${index}`));
		sightings.note([row('a')], 0, 0);
		sightings.note(many(999), 1, 1);
		expect(sightings.lastSign('there')).toBe(0);

		sightings.note(many(1000), 2, 2);
		expect(sightings.lastSign('there')).toBe(Infinity);
		sightings.note([...many(2000), row('a')], 3, 3);
		expect(sightings.lastSign('other 0')).toBe(1);
	});
});

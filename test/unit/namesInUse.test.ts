import { NamesInUse } from '../../nodes/ImageGeneration/plan/namesInUse';

/** What runs gave that have ended. */
function namesOf(...runs: string[][]): NamesInUse {
	const names = new NamesInUse();
	names.learn((from) => runs.slice(from));
	return names;
}

it.each([
	['a b a a', 'a b a-2 a-3'],
	['a A', 'a A-2'],
	['A-2 a a', 'A-2 a a-3'],
])('the names of a run are numbered if they are equal: %s become %s', (names, unique) => {
	expect(names.split(' ').map(namesOf().numbering()).join(' ')).toBe(unique);
});

it('ten thousand equal names are numbered quickly', () => {
	const numbered = namesOf().numbering();
	const names = Array.from({ length: 10_000 }, () => numbered('photo'));

	expect(new Set(names).size).toBe(10_000);
	expect(names.at(-1)).toBe('photo-10000');
});

it('the names of a run are numbered after those of earlier runs, whatever their extensions are', () => {
	const names = namesOf(['a.jpg', 'b.PNG'], ['a-2.jpg', 'odd.img', 'plain']);

	expect(['A', 'b', 'odd', 'plain', 'c'].map(names.numbering())).toStrictEqual([
		'A-3',
		'b-2',
		'odd-2',
		'plain-2',
		'c',
	]);
});

it('each run is read once', () => {
	const asked: number[] = [];
	const names = new NamesInUse();
	for (const ended of [1, 1, 3]) {
		names.learn((from) => {
			asked.push(from);
			return Array<string[]>(ended - from).fill(['a']);
		});
	}

	expect(asked).toStrictEqual([0, 1, 1]);
});

import type { Measurement } from './job.mjs';

/** Something to measure several times. */
export interface Case {
	name: string;
	measure(): Promise<Measurement>;
}

/**
 * Measures all cases in turn, round by round, so that other load on the machine affects them alike.
 * Each round starts with a different case.
 */
export async function measureRounds<T extends Case>(
	cases: readonly T[],
	times: number,
): Promise<Map<T, Measurement[]>> {
	const measured = new Map(cases.map((one) => [one, [] as Measurement[]]));
	for (let round = 1; round <= times; round++) {
		const first = (round - 1) % cases.length;
		for (const one of [...cases.slice(first), ...cases.slice(0, first)]) {
			const measurement = await one.measure();
			measured.get(one)?.push(measurement);
			const { wall, cpu, memory, refused } = measurement;
			const mebibytes = (memory / 2 ** 20).toFixed(1);
			console.log(
				`  ${round}/${times} ${one.name}: ${Math.round(wall)} ms, CPU ${Math.round(cpu)} ms` +
					(memory === 0 ? '' : `, ${mebibytes} MiB`) +
					(refused === 0 ? '' : `, ${refused} requests refused`),
			);
		}
	}
	return measured;
}

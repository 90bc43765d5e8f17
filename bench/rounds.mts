import type { Measurement } from './job.mjs';

/** Something to be measured several times. */
export interface Case {
	name: string;
	measure(): Promise<Measurement>;
}

/**
 * Measures all in turn, again and again, so that what else the machine does strikes all alike. Every
 * round begins with another one, so that nobody always comes after the same.
 */
export async function rounds<T extends Case>(
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
					(refused === 0 ? '' : `, ${refused} calls refused`),
			);
		}
	}
	return measured;
}

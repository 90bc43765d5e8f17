import type { Measurement } from './job.mjs';

/** Something to be measured several times. */
export interface Case {
	name: string;
	measure(): Promise<Measurement>;
}

/** Measures all in turn, again and again, so that what else the machine does strikes all alike. */
export async function rounds<T extends Case>(
	cases: readonly T[],
	times: number,
): Promise<Map<T, Measurement[]>> {
	const measured = new Map(cases.map((one) => [one, [] as Measurement[]]));
	for (let round = 1; round <= times; round++) {
		for (const [one, measurements] of measured) {
			const measurement = await one.measure();
			measurements.push(measurement);
			const { wall, cpu, memory } = measurement;
			const mebibytes = (memory / 2 ** 20).toFixed(1);
			console.log(
				`  ${round}/${times} ${one.name}: ${Math.round(wall)} ms, CPU ${Math.round(cpu)} ms` +
					(memory === 0 ? '' : `, ${mebibytes} MiB`),
			);
		}
	}
	return measured;
}

import { fuzz, SEED } from '../../support/fuzz';
import { randomLife } from './randomLife';
import { counts } from './simulation/namedLimits';
import { findingsOf } from './simulation/oracle';

/** About a minute on two idle cores. */
const SCHEDULES = fuzz(1000).numRuns;
/** No test runner knows how many somebody asks for. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** What a reader looks at first. */
const SHOWN = 5;

it(
	`keeps what it promises about money in random schedules of ordinary life (seed ${SEED})`,
	async () => {
		const findings: string[] = [];
		for (let seed = SEED; seed < SEED + SCHEDULES; seed++) {
			const { world, kind } = randomLife(seed);
			await world.play();
			const found = findingsOf(world);
			if (found.length === 0) continue;
			const trace = findings.length < SHOWN ? world.trace : [];
			findings.push([`seed ${seed}, ${kind}:`, ...found, ...trace].join('\n'));
		}
		const named = [...counts].sort(([, a], [, b]) => b - a);
		const lines = named.map(([name, count]) => `${String(count).padStart(8)}  ${name}\n`);
		process.stdout.write(
			`${SCHEDULES} schedules, ${findings.length} with findings. Named limits met:\n${lines.join('')}`,
		);
		expect(findings).toStrictEqual([]);
	},
	NO_TIMEOUT,
);

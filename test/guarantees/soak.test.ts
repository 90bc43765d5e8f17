import fc from 'fast-check';

import type { FaultName, FaultRule, Sandbox } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { collectGarbage } from '../support/collectGarbage';
import { SEED } from '../support/fuzz';
import { useSandboxPool } from '../support/sandboxPool';
import { runBatch } from './batch';
import { HANGING, KEY, phasesOf, ruleOf } from './cases';
import { violations } from './evidence';

const ITEMS = Number(process.env.SOAK_ITEMS ?? 1000);
const FAULTS = ITEMS * 0.05;
const CONCURRENCY = 50;

const pool = useSandboxPool(1, { apiKey: KEY, allowance: 1_000_000, echoImages: true });

/** Faults for random requests and downloads, including some that hang. */
function randomRules(): FaultRule[] {
	const names = Object.keys(faults) as FaultName[];
	const quick = names.filter((name) => !HANGING.includes(name) && name !== 'redirect-loop');
	const rule = fc
		.constantFrom(...quick, ...HANGING.slice(0, 2))
		.chain((fault) => fc.constantFrom(...phasesOf(fault).map((phase) => ({ fault, phase }))))
		.chain((where) =>
			fc.nat(ITEMS - 1).map((after) => ({ ...ruleOf({ ...where, lasting: false }), after })),
		);
	return fc.sample(rule, { seed: SEED, numRuns: FAULTS });
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** Records memory each time another eighth of the items is charged. */
function watch(sandbox: Sandbox) {
	const figures: Array<{ charged: number; heap: number; rss: number }> = [];
	const timer = setInterval(() => {
		if (sandbox.ledger.length < (figures.length * ITEMS) / 8) return;
		collectGarbage();
		const { heapUsed, rss } = process.memoryUsage();
		figures.push({
			charged: sandbox.ledger.length,
			heap: megabytes(heapUsed),
			rss: megabytes(rss),
		});
	}, 50);
	return { figures, stop: () => clearInterval(timer) };
}

it(`a run of ${ITEMS} items with ${FAULTS} faults loses nothing, buys nothing twice and keeps memory flat (seed ${SEED})`, async () => {
	const started = Date.now();
	const { evidence, memory } = await pool.take(async (sandbox) => {
		const { figures, stop } = watch(sandbox);
		const collected = await runBatch(pool.engine, sandbox, {
			names: Array.from({ length: ITEMS }, (_, item) => `Item ${item}.`),
			parameters: {
				operation: 'generate',
				options: { concurrency: CONCURRENCY, maxRetries: 3, timeout: 30 },
			},
			faults: randomRules(),
			node: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2 },
		});
		stop();
		return { evidence: collected, memory: figures };
	});
	const { result, charges } = evidence;
	const failed = result.rows.filter(({ json }) => json.error !== undefined).length;

	console.table(memory);
	console.log(
		`${ITEMS} items, ${FAULTS} faults, concurrency ${CONCURRENCY}: ${ITEMS - failed} delivered, ` +
			`${failed} reported, ${charges.length} charged, ${Math.round((Date.now() - started) / 1000)} s`,
	);
	expect(violations(evidence)).toEqual([]);
	expect(result.rows).toHaveLength(ITEMS);
	// Output items, ledger and requests grow with the number of items; images would need a hundred
	// times as much.
	const [first, last] = [memory[1], memory.at(-1)];
	expect((last?.heap ?? 0) - (first?.heap ?? 0)).toBeLessThan(50);
}, 600_000);

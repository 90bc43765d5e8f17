import { readFileSync } from 'node:fs';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { FAULT_CASES, HANGING, KEY, ruleOf, type FaultCase } from '../../support/cases';
import { storedFiles, useEngine } from '../../support/engine';
import { runBatch } from '../../support/evidence';
import { findText } from '../../support/findText';
import { logSoFar } from '../../support/n8nLog';
import { TWO_ATTEMPTS } from '../../support/runs';
import { until } from '../../support/until';

const engine = useEngine();

// Jest starts concurrent tests before the hooks.
let begin = () => {};
const isUp = new Promise<void>((resolve) => {
	begin = resolve;
});
beforeAll(() => begin());

/** A fault in a run of the node. */
interface Case extends FaultCase {
	/**
	 * True if every request but the first meets the fault; false if only the second item's first
	 * one does.
	 */
	lasting: boolean;
	operation: 'generate' | 'edit';
	onError: 'stopWorkflow' | 'continueRegularOutput';
	retryOnFail: boolean;
}

/**
 * Settings that can make a difference to a fault. Operations differ only in what they send: Edit sends a text and a file.
 * A first attempt is the same with Retry On Fail.
 */
const SETTINGS = [
	{ operation: 'generate', retryOnFail: false },
	{ operation: 'generate', retryOnFail: true },
	{ operation: 'edit', retryOnFail: true },
] as const;

const ALL_CASES: Case[] = FAULT_CASES.flatMap((place) =>
	SETTINGS.flatMap((setting) =>
		(['stopWorkflow', 'continueRegularOutput'] as const).flatMap((onError) =>
			[false, true].map((lasting) => ({ ...place, ...setting, onError, lasting })),
		),
	),
);

/** Sandboxes without an armed fault, so that each of the runs at a time has its own. */
const free: Sandbox[] = [];
const hangs = ({ fault }: Case) => HANGING.includes(fault);
/** A service that refuses every request is given up after Timeout. */
const throttles = ({ fault, lasting }: Case) => lasting && fault.includes('rate-limit');
// Hanging faults first, because they spend most of their time waiting.
const cases = [...ALL_CASES.filter(hangs), ...ALL_CASES.filter((one) => !hangs(one))];
let runs = 0;

/** In seconds: enough for a busy machine to respond, and for the refused jobs to end. */
function timeoutFor(one: Case): number {
	if (hangs(one)) return 1;
	return throttles(one) ? 15 : 60;
}

async function runCase(one: Case) {
	const { operation, onError, lasting, retryOnFail } = one;
	const id = ++runs;
	await isUp;
	const sandbox =
		free.pop() ?? (await startSandbox({ apiKey: KEY, allowance: 1_000_000, echoImages: true }));
	try {
		return await runBatch(engine(), sandbox, {
			titles: ['One', 'Two', 'Three'].map((name) => `${name} of case ${id}.`),
			operation,
			options: {
				concurrency: lasting ? 3 : 1,
				timeout: timeoutFor(one),
			},
			faults: [{ ...ruleOf(one), after: 1, times: lasting ? 1000 : 1 }],
			node: { ...TWO_ATTEMPTS, onError, retryOnFail },
		});
	} finally {
		sandbox.disarm();
		free.push(sandbox);
	}
}

afterAll(async () => {
	await Promise.all(free.map(async (sandbox) => await sandbox.close()));
});

it.concurrent.each(cases)(
	'nothing is bought twice, lost or mixed up with $fault at the $phase (lasting: $lasting), $operation, $onError, Retry On Fail: $retryOnFail',
	async (one) => {
		const { result, findings } = await runCase(one);

		expect(findings).toStrictEqual([]);
		expect(findText(result, KEY)).toStrictEqual([]);
	},
	300_000,
);

describe('after the matrix', () => {
	it('no connection is open', async () => {
		const isOpen = () => process.getActiveResourcesInfo().includes('TCPSocketWrap');
		const patience = AbortSignal.timeout(20_000);
		await until(() => patience.aborted || !isOpen());

		expect(isOpen()).toBe(false);
	});

	it('the key is neither in n8n’s storage nor in its log', async () => {
		await until(() => logSoFar().includes('will be retried in'));

		const stored = storedFiles().flatMap((path) => [path, readFileSync(path, 'latin1')]);
		expect(stored.length).toBeGreaterThan(0);
		expect(stored.filter((text) => text.includes(KEY))).toStrictEqual([]);
		expect(logSoFar().includes(KEY)).toBe(false);
	});
});

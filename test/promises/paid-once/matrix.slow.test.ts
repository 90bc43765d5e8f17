import { readFileSync } from 'node:fs';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { runBatch } from '../../support/batch';
import {
	ALL_CASES,
	type FaultCase,
	HANGING,
	KEY,
	ruleOf,
	titleOf,
	MESSAGES,
} from '../../support/cases';
import { storedFiles, useEngine } from '../../support/engine';
import { violations, type Evidence } from '../../support/evidence';
import { findText } from '../../support/findText';
import { logSoFar } from '../../support/n8nLog';
import { until } from '../../support/until';

const engine = useEngine();

// Jest starts concurrent tests before the hooks.
let begin = () => {};
const isUp = new Promise<void>((resolve) => {
	begin = resolve;
});
beforeAll(() => begin());

/** Sandboxes without an armed fault, so that each of the runs at a time has its own. */
const free: Sandbox[] = [];
const hangs = ({ fault }: FaultCase) => HANGING.includes(fault);
/** A service that refuses every request is given up after Timeout. */
const throttles = ({ fault, lasting }: FaultCase) => lasting && fault.includes('rate-limit');
// Hanging faults first, because they spend most of their time waiting.
const cases = [...ALL_CASES.filter(hangs), ...ALL_CASES.filter((one) => !hangs(one))];
let runs = 0;

/** In seconds: enough for a busy machine to respond, and for the refused jobs to end. */
function timeoutFor(one: FaultCase): number {
	if (hangs(one)) return 1;
	return throttles(one) ? 15 : 60;
}

async function runCase(one: FaultCase): Promise<Evidence> {
	const { operation, onError, lasting, retryOnFail, ofOneItem } = one;
	const id = ++runs;
	const names = ofOneItem ? ['One'] : ['One', 'Two', 'Three'];
	const perItem = ofOneItem ? 2 : 1;
	await isUp;
	const sandbox =
		free.pop() ?? (await startSandbox({ apiKey: KEY, allowance: 1_000_000, echoImages: true }));
	try {
		return await runBatch(engine(), sandbox, {
			names: names.map((name) => `${name} of case ${id}.`),
			shape: { images: perItem, copies: perItem },
			parameters: {
				operation,
				options: {
					concurrency: lasting ? 3 : 1,
					timeout: timeoutFor(one),
				},
			},
			faults: [ruleOf(one)],
			node: { onError, retryOnFail, maxTries: 2, waitBetweenTries: 1 },
		});
	} finally {
		sandbox.disarm();
		free.push(sandbox);
	}
}

afterAll(async () => {
	await Promise.all(free.map(async (sandbox) => await sandbox.close()));
});

describe('nothing is bought twice or lost, and the order is kept, with the fault', () => {
	it.concurrent.each(cases.map((one) => [titleOf(one), one] as const))(
		'%s',
		async (_, one) => {
			const evidence = await runCase(one);
			const start = MESSAGES[one.phase][one.fault] ?? '';

			expect(violations(evidence)).toStrictEqual([]);
			expect(titlesIn(evidence).filter((title) => !title.startsWith(start))).toStrictEqual([]);
			expect(findText(evidence.result, KEY)).toStrictEqual([]);
		},
		300_000,
	);
});

/** The messages of a run, without the item that the node's own error names first. */
function titlesIn({ result: { error, rows } }: Evidence): string[] {
	const titles = [
		error?.message.replace(/^Item \d+, "[^"]*"(, copy \d+)?: /, ''),
		...rows.map(({ json }) => json.error),
	];
	return titles.filter((title) => typeof title === 'string');
}

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

import type { FaultName, FaultRule } from '../../sandbox';
import type { Fault } from '../../sandbox/faults/fault';
import { faults } from '../../sandbox/faults/table';

/** The API key of every sandbox in these tests. */
export const KEY = 'KEY-that-nobody-may-see';

/** A fault at a paid request or a download. */
export interface FaultCase {
	fault: FaultName;
	phase: 'call' | 'download';
}

/** Settings that keep a fault short. */
const QUICK: Partial<Record<FaultName, Partial<FaultRule>>> = {
	delay: { delayMs: 20 },
	'delay-after': { delayMs: 20 },
	'slow-drip': { delayMs: 2 },
	'late-body': { delayMs: 20 },
	'rate-limit': { retryAfter: '0' },
	'download-rate-limit': { retryAfter: '0' },
};

/** Faults that end only with the client's timeout. */
export const HANGING: FaultName[] = [
	'hang',
	'timeout-after',
	'stall-json',
	'download-hang',
	'download-stall',
];

/** Every fault of the sandbox wherever it can occur. */
export const FAULT_CASES: FaultCase[] = (Object.keys(faults) as FaultName[]).flatMap((fault) => {
	const { target }: Fault = faults[fault];
	const phases = target === 'any' ? (['call', 'download'] as const) : [phaseOf(target)];
	return phases.map((phase) => ({ fault, phase }));
});

function phaseOf(target: Fault['target']): FaultCase['phase'] {
	return target === 'tool' ? 'call' : 'download';
}

/** The rule that arms a case's fault for one request. */
export function ruleOf({ fault, phase }: FaultCase): FaultRule {
	return {
		fault,
		on: phase === 'call' ? 'any-tool' : 'download',
		times: 1,
		...QUICK[fault],
	};
}

import type { FaultName, FaultRule } from '../../sandbox';
import type { Fault } from '../../sandbox/faults/fault';
import { faults } from '../../sandbox/faults/table';

/** The key of all sandboxes in these tests. */
export const KEY = 'KEY-that-nobody-may-see';

/** The tools, by the names of the node's operations. */
export const OPERATIONS = ['generate', 'removeBackground', 'edit'] as const;
export type OperationName = (typeof OPERATIONS)[number];

export type Phase = 'call' | 'download';

/** One run of the node that meets a fault. */
export interface FaultCase {
	fault: FaultName;
	phase: Phase;
	/** Whether only the second item's first request meets it, or every request but the first. */
	lasting: boolean;
	operation: OperationName;
	onError: 'stopWorkflow' | 'continueRegularOutput';
	retryOnFail: boolean;
	/** Whether all jobs are one item's images, or copies, rather than those of an item each. */
	ofOneItem: boolean;
}

/** What keeps a fault from taking longer than a test should. */
const QUICK: Partial<Record<FaultName, Partial<FaultRule>>> = {
	delay: { delayMs: 20 },
	'delay-after': { delayMs: 20 },
	'slow-drip': { delayMs: 2 },
	'late-body': { delayMs: 20 },
	'rate-limit': { retryAfter: '0' },
	'download-rate-limit': { retryAfter: '0' },
};

/** Faults that end with the client's patience only. */
export const HANGING: FaultName[] = [
	'hang',
	'timeout-after',
	'stall-json',
	'download-hang',
	'download-stall',
];

const ARMED = 'A fault was armed for this request';
const GIVEN: Partial<Record<FaultName, string>> = {
	status: ARMED,
	'status-in-status': ARMED,
	'err-and-status': ARMED,
	'5xx-before': ARMED,
	'5xx-after': ARMED,
	'err-in-200': ARMED,
	'status-in-200': ARMED,
	'rate-limit': 'Too many requests.',
};

/** What a user's message begins with where the service gives words of its own. */
export const WORDS: Record<Phase, Partial<Record<FaultName, string>>> = {
	call: { ...GIVEN, 'error-huge': 'x'.repeat(500) },
	download: {
		...GIVEN,
		'download-404': 'This file is gone.',
		'download-500': 'Storage is down.',
		'json-200': 'This file has expired.',
	},
};

/** The phases in which a fault can strike. */
export function phasesOf(name: FaultName): Phase[] {
	const { target }: Fault = faults[name];
	if (target === 'any') return ['call', 'download'];
	return [target === 'tool' ? 'call' : 'download'];
}

/** Every fault the sandbox knows, in every phase, for every operation and every setting. */
export const ALL_CASES: FaultCase[] = (Object.keys(faults) as FaultName[]).flatMap((fault) =>
	phasesOf(fault).flatMap((phase) =>
		OPERATIONS.flatMap((operation) =>
			(['stopWorkflow', 'continueRegularOutput'] as const).flatMap((onError) =>
				[
					{ retryOnFail: false, ofOneItem: false },
					{ retryOnFail: true, ofOneItem: false },
					{ retryOnFail: true, ofOneItem: true },
				].flatMap((setting) =>
					[false, true].map((lasting) => ({
						fault,
						phase,
						lasting,
						operation,
						onError,
						...setting,
					})),
				),
			),
		),
	),
);

/** The rule that plays a case's fault. */
export function ruleOf({
	fault,
	phase,
	lasting,
}: Pick<FaultCase, 'fault' | 'phase' | 'lasting'>): FaultRule {
	return {
		fault,
		on: phase === 'call' ? 'any-tool' : 'download',
		after: 1,
		times: lasting ? 1000 : 1,
		...QUICK[fault],
	};
}

/** A case in words, for a test's title. */
export function titleOf(one: FaultCase): string {
	const { fault, phase, lasting, operation, onError, retryOnFail, ofOneItem } = one;
	return [
		`${fault} at the ${phase}, ${lasting ? 'again and again' : 'once'}`,
		operation,
		onError === 'stopWorkflow' ? 'stop' : 'continue',
		retryOnFail ? 'Retry On Fail' : '',
		ofOneItem ? 'jobs of one item' : '',
	]
		.filter(Boolean)
		.join(', ');
}

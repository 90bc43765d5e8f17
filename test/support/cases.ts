import type { FaultName, FaultRule } from '../../sandbox';
import type { Fault } from '../../sandbox/faults/fault';
import { faults } from '../../sandbox/faults/table';

/** The API key of every sandbox in these tests. */
export const KEY = 'KEY-that-nobody-may-see';

export type Phase = 'call' | 'download';

/** One run of the node with a fault. */
export interface FaultCase {
	fault: FaultName;
	phase: Phase;
	/**
	 * True if every request but the first meets the fault; false if only the second item's first
	 * one does.
	 */
	lasting: boolean;
	operation: 'generate' | 'edit';
	onError: 'stopWorkflow' | 'continueRegularOutput';
	retryOnFail: boolean;
	/** True if all jobs are images and copies of one item; false if each has its own item. */
	ofOneItem: boolean;
}

/**
 * Settings that can make a difference to a fault. Operations differ only in what they send: Edit sends a text and a file,
 * with several images and copies of an item. A first attempt is the same with Retry On Fail.
 */
const SETTINGS = [
	{ operation: 'generate', retryOnFail: false, ofOneItem: false },
	{ operation: 'generate', retryOnFail: true, ofOneItem: false },
	{ operation: 'edit', retryOnFail: true, ofOneItem: true },
] as const;

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

const ARMED = 'A fault was armed for this request';
const SERVICE_MESSAGES: Partial<Record<FaultName, string>> = {
	status: ARMED,
	'status-in-status': ARMED,
	'err-and-status': ARMED,
	'5xx-before': ARMED,
	'5xx-after': ARMED,
	'err-in-200': ARMED,
	'status-in-200': ARMED,
	'rate-limit': 'Too many requests.',
};

/** How a message begins if the service gives one. */
export const MESSAGES: Record<Phase, Partial<Record<FaultName, string>>> = {
	call: { ...SERVICE_MESSAGES, 'error-huge': 'x'.repeat(500) },
	download: {
		...SERVICE_MESSAGES,
		'download-404': 'This file is gone.',
		'download-500': 'Storage is down.',
		'json-200': 'This file has expired.',
	},
};

/** The phases in which a fault can occur. */
export function phasesOf(name: FaultName): Phase[] {
	const { target }: Fault = faults[name];
	if (target === 'any') return ['call', 'download'];
	return [target === 'tool' ? 'call' : 'download'];
}

/** Every fault of the sandbox in every phase, for every setting that can make a difference. */
export const ALL_CASES: FaultCase[] = (Object.keys(faults) as FaultName[]).flatMap((fault) =>
	phasesOf(fault).flatMap((phase) =>
		SETTINGS.flatMap((setting) =>
			(['stopWorkflow', 'continueRegularOutput'] as const).flatMap((onError) =>
				[false, true].map((lasting) => ({ fault, phase, lasting, onError, ...setting })),
			),
		),
	),
);

/** The rule that arms a case's fault. */
export function ruleOf(one: Pick<FaultCase, 'fault' | 'phase' | 'lasting'>): FaultRule {
	const { fault, phase, lasting } = one;
	return {
		fault,
		on: phase === 'call' ? 'any-tool' : 'download',
		after: 1,
		times: lasting ? 1000 : 1,
		...QUICK[fault],
	};
}

/** A case described for its test's title. */
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

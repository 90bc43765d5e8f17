import type { LedgerEntry } from '../../sandbox';
import type { Fault } from '../../sandbox/faults/fault';
import { faults } from '../../sandbox/faults/table';
import { isJob, isNamed, unreported } from './evidence';
import type { History, KeyedCharge, StepEvidence } from './history';

/** What a run tells of earlier ones. */
const OF_OTHERS = /^An unfinished run bought .*$/gm;
const CUT_OFF = /"([^"]*)" may have been charged as well/g;

/**
 * Describes what is wrong with a history; empty if all of this holds: no attempt or retry of an
 * execution buys anything twice, nor does a manual run with reuse; what a stopped run finished is not
 * bought again within a day; nothing is charged beyond Max Images; no image goes to another item; every
 * charge is delivered or reported.
 */
export function historyViolations({ maxImages }: History, evidence: readonly StepEvidence[]) {
	const inExecution = new Set<string>();
	const inManualRuns = new Map<string, BoughtAt>();
	const leftByStop = new Map<string, BoughtAt>();
	/** What may have a link to nothing, which a later run uses first and then buys anew. */
	const gone = new Set<string>();
	/** How many requests Stop cut off that the service may still charge, by their item. */
	const cutOff = new Map<string, number>();
	let chargesOfExecution = 0;
	return evidence.flatMap((given, index) => {
		const stepEvidence = withoutLate(given, cutOff);
		const { step, isRetry, isStopped, charges, reportedText, time } = stepEvidence;
		if (!isRetry) {
			inExecution.clear();
			chargesOfExecution = 0;
		}
		chargesOfExecution += charges.length;
		// An image whose link is gone is bought anew, wherever it came from.
		const isGone = step.faults.some(({ fault }) => fault === 'download-404');
		const mayReuse = step.reuse && step.mode === 'manual' && !isRetry && !isGone;
		const isLeft = (known: Map<string, BoughtAt>, key: string) =>
			time - (known.get(key)?.time ?? -Infinity) < 24;
		const violations = [
			...repeated(charges),
			...charges
				.filter(
					({ key }) =>
						inExecution.has(key) ||
						(mayReuse && !gone.has(key) && isLeft(inManualRuns, key)) ||
						(!isRetry && !isGone && !gone.has(key) && isLeft(leftByStop, key)),
				)
				.map(({ key }) => `${key} was bought twice`),
			...(chargesOfExecution > (maxImages ?? Infinity)
				? [`${chargesOfExecution} charges with Max Images ${maxImages}`]
				: []),
			// The next run tells what Stop cut off.
			...(isStopped ? [] : unreported(reportedText, charges)),
			...wronglyDelivered(stepEvidence),
		];
		if (step.faults.some(({ fault }) => fault === 'gone-output-url')) {
			for (const { key } of charges) gone.add(key);
		}
		if (isGone) for (const { key } of charges) leftByStop.delete(key);
		for (const charge of charges.filter((each) => isKnown(stepEvidence, each))) {
			inExecution.add(charge.key);
			inManualRuns.set(charge.key, { entry: charge.entry, time });
			const isDelivered =
				stepEvidence.rows.some(isImageOf(charge.entry)) ||
				isNamed(charge.entry, stepEvidence.errorItems);
			if (isStopped && !isDelivered) leftByStop.set(charge.key, { entry: charge.entry, time });
		}
		// What a run took over belongs to its execution, unless it was stopped before it output it.
		for (const [key, { entry }] of leftByStop) {
			const isOutput =
				stepEvidence.rows.some(isImageOf(entry)) ||
				isNamed(entry, isStopped ? stepEvidence.errorItems : reportedText);
			if (isOutput) leftByStop.delete(key);
		}
		// What a manual run reused belongs to its execution from now on.
		for (const [key, { entry }] of mayReuse ? inManualRuns : []) {
			if (isNamed(entry, reportedText)) inExecution.add(key);
		}
		return violations.map((violation) => `step ${index}: ${violation}`);
	});
}

interface BoughtAt {
	entry: LedgerEntry;
	/** Hours since the first step. */
	time: number;
}

/** Leaves out what the service charged late for earlier steps, and counts what Stop cut off in this one. */
function withoutLate(evidence: StepEvidence, cutOff: Map<string, number>): StepEvidence {
	const { isStopped, reportedText } = evidence;
	const ownText = reportedText.replace(OF_OTHERS, '');
	const add = (item: string, count: number) => cutOff.set(item, (cutOff.get(item) ?? 0) + count);
	const isOpen = (item: string) => (cutOff.get(item) ?? 0) > 0;
	const settle = (charge: KeyedCharge) => {
		const isLate = isOpen(itemOf(charge.key)) && !isNamed(charge.entry, ownText);
		if (isLate) add(itemOf(charge.key), -1);
		return isLate;
	};
	const late = new Set(evidence.charges.filter(settle));
	const charges = evidence.charges.filter((charge) => !late.has(charge));
	if (isStopped) {
		for (const [, label = ''] of reportedText.matchAll(CUT_OFF)) add(itemOf(label), 1);
		// Some of these are charged by now.
		charges.forEach(settle);
	}
	return { ...evidence, charges };
}

/** The item that a key or a label begins with. */
function itemOf(key: string): string {
	return key.split('.')[0] ?? '';
}

function repeated(charges: readonly KeyedCharge[]): string[] {
	const keys = charges.map(({ key }) => key);
	return [...new Set(keys)]
		.filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key))
		.map((key) => `${key} was charged more than once`);
}

/** Whether the node can know the job: its result arrived, or the node reported it. */
function isKnown({ step, isStopped, rows, reportedText }: StepEvidence, { entry }: KeyedCharge) {
	// Stop may cut off the answer.
	const isHidden =
		isStopped ||
		step.faults.some(({ fault }) => {
			const { moment, target }: Fault = faults[fault];
			return moment === 'after' && target !== 'download';
		});
	const finished = reportedText.split('Finished and paid for:')[1] ?? '';
	return !isHidden || finished.includes(entry.jobId) || rows.some(isImageOf(entry));
}

function isImageOf(entry: LedgerEntry) {
	return ({ json }: StepEvidence['rows'][number]) => isJob(json, entry);
}

function wronglyDelivered({ rows }: StepEvidence): string[] {
	return rows
		.filter(({ isRight }) => !isRight)
		.map(({ json }) => `${JSON.stringify(json)} lacks the image that was generated for its item`);
}

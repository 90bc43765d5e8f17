import type { LedgerEntry } from '../../sandbox';
import type { Fault } from '../../sandbox/faults/fault';
import { faults } from '../../sandbox/faults/table';
import type { History, KeyedCharge, StepEvidence } from './history';

const MAY_BE_CHARGED = /may have been charged/g;

/**
 * Describes what is wrong with a history; empty if all of this holds: no attempt or retry of an
 * execution buys anything twice, nor does a manual run with reuse; nothing is charged beyond Max
 * Images; every charge is delivered or reported.
 */
export function historyViolations(
	{ maxImages }: History,
	evidence: readonly StepEvidence[],
): string[] {
	const inExecution = new Set<string>();
	const inManualRuns = new Map<string, LedgerEntry>();
	let chargesOfExecution = 0;
	return evidence.flatMap((stepEvidence, index) => {
		const { step, isRetry, charges, reportedText } = stepEvidence;
		if (!isRetry) {
			inExecution.clear();
			chargesOfExecution = 0;
		}
		chargesOfExecution += charges.length;
		// A reused image whose link is gone is bought anew.
		const isGone = step.faults.some(({ fault }) => fault === 'download-404');
		const mayReuse = step.reuse && !isRetry && !isGone;
		const violations = [
			...repeated(charges),
			...charges
				.filter(({ key }) => inExecution.has(key) || (mayReuse && inManualRuns.has(key)))
				.map(({ key }) => `${key} was bought twice`),
			...(chargesOfExecution > (maxImages ?? Infinity)
				? [`${chargesOfExecution} charges with Max Images ${maxImages}`]
				: []),
			...unreported(stepEvidence),
			...wronglyDelivered(stepEvidence),
		];
		for (const charge of charges.filter((each) => isKnown(stepEvidence, each))) {
			inExecution.add(charge.key);
			inManualRuns.set(charge.key, charge.entry);
		}
		// What a manual run reused belongs to its execution from now on.
		for (const [key, { jobId, outputUrl }] of mayReuse ? inManualRuns : []) {
			const isReported = reportedText.includes(jobId) || reportedText.includes(outputUrl);
			if (isReported) inExecution.add(key);
		}
		return violations.map((violation) => `step ${index}: ${violation}`);
	});
}

function repeated(charges: readonly KeyedCharge[]): string[] {
	const keys = charges.map(({ key }) => key);
	return [...new Set(keys)]
		.filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key))
		.map((key) => `${key} was charged more than once`);
}

/** Whether the node can know the job: its result arrived, or the node reported it. */
function isKnown({ step, rows, reportedText }: StepEvidence, { entry }: KeyedCharge): boolean {
	const isHidden = step.faults.some(({ fault }) => {
		const { moment, target }: Fault = faults[fault];
		return moment === 'after' && target !== 'download';
	});
	const finished = reportedText.split('Finished and paid for:')[1] ?? '';
	return (
		!isHidden ||
		finished.includes(entry.jobId) ||
		rows.some(({ json }) => json.id === entry.jobId || json.output_url === entry.outputUrl)
	);
}

function unreported({ charges, reportedText }: StepEvidence): string[] {
	const unmentioned = charges.filter(
		({ entry: { jobId, outputUrl } }) =>
			!reportedText.includes(jobId) && !reportedText.includes(outputUrl),
	);
	const possiblyCharged = reportedText.match(MAY_BE_CHARGED)?.length ?? 0;
	return unmentioned.length > possiblyCharged
		? [
				`${unmentioned.length} charges without id and link, but only ${possiblyCharged} reported as possibly charged`,
			]
		: [];
}

function wronglyDelivered({ rows }: StepEvidence): string[] {
	return rows.flatMap(({ json, image, generated }) =>
		generated !== undefined && image?.equals(generated) === true
			? []
			: [`the output item of ${JSON.stringify(json)} lacks the image that was generated`],
	);
}

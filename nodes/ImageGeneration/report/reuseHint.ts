import type { Purchase } from '../recall/purchase';
import type { Job, JobOutcome } from '../types';
import { counted } from '../values/text';
import type { Report } from './report';

/**
 * Tells when the images that a run reused were bought, and how to get others.
 * @param now The time of the report.
 * @returns an empty text if it reused none
 */
export function reuseHint(
	report: Pick<Report, 'context' | 'added' | 'known' | 'outcomes'>,
	now = new Date(),
): string {
	const reused = report.outcomes.flatMap((each) => reusedImage(each, report.known));
	const [first] = reused;
	if (first === undefined) return '';
	const when = timeInWords(
		reused.flatMap(({ purchase }) => (purchase === undefined ? [] : new Date(purchase.time))),
		now,
		report.context.getTimezone(),
	);
	const advice = howToBuy(first.job, report.added.has('reuse'));
	return reused.length === 1
		? `1 image is the one that was bought ${when}, so it cost nothing. For another one, ${advice}.`
		: `${counted(reused.length, 'image')} are those that were bought ${when}, so they cost nothing. For others, ${advice}.`;
}

/** An image that an earlier run bought. */
interface ReusedImage {
	job: Job;
	/** Undefined if an earlier attempt of this run found it. */
	purchase: Purchase | undefined;
}

function reusedImage({ job }: JobOutcome, known: Report['known']): ReusedImage[] {
	const found = 'problem' in job ? undefined : known.get(job);
	if ('problem' in job || found?.from !== 'earlier run') return [];
	return [{ job, purchase: found.purchase }];
}

/** How to get an image of one's own for the same item. */
function howToBuy({ request }: Job, isAdded: boolean): string {
	const setting = isAdded
		? "set 'Reuse Images' to 'Never'"
		: "add the option 'Reuse Images' and set it to 'Never'";
	const { text, image } = request.textParts;
	if (text === undefined) return setting;
	const isEdit = image !== undefined || request.file !== undefined;
	return `change the ${isEdit ? 'instruction' : 'prompt'}, or ${setting}`;
}

/** When things happened, as people say it: the days, or the day and the time, or the time today. */
function timeInWords(times: readonly Date[], now: Date, workflowZone: string): string {
	const sorted = times
		.filter((time) => !Number.isNaN(time.getTime()))
		.sort((a, b) => a.getTime() - b.getTime());
	const [first] = sorted;
	const last = sorted.at(-1);
	if (first === undefined || last === undefined) return 'earlier';
	const timeZone = existingZone(workflowZone);
	const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone });
	const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone });
	const dayOf = (date: Date) => (day.format(date) === day.format(now) ? 'today' : day.format(date));

	if (dayOf(first) !== dayOf(last)) return `between ${dayOf(first)} and ${dayOf(last)}`;
	const [from, to] = [time.format(first), time.format(last)];
	const span = from === to ? `at ${from}` : `between ${from} and ${to}`;
	// The workflow's zone, which is New York unless somebody has set another one, may not be the reader's.
	const clock = `${span} (${timeZone})`;
	return dayOf(first) === 'today' ? clock : `on ${dayOf(first)} ${clock}`;
}

/** The zone, or that of n8n's machine if there is none of that name, which n8n does not check. */
function existingZone(timeZone: string): string {
	try {
		new Intl.DateTimeFormat('en', { timeZone });
		return timeZone;
	} catch {
		return new Intl.DateTimeFormat().resolvedOptions().timeZone;
	}
}

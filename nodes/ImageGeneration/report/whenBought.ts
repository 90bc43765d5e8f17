/**
 * When images were bought, as people say it: "today at 08:47", or the days.
 * @param times In milliseconds since 1970, as is `now`.
 * @param workflowZone In which n8n shows its times as well.
 */
export function whenBought(times: readonly number[], now: number, workflowZone: string): string {
	const timeZone = existingZone(workflowZone);
	const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone });
	const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone });
	const dayOf = (time: number) =>
		day.format(time) === day.format(now) ? 'today' : day.format(time);
	const first = Math.min(...times);
	const last = Math.max(...times);
	if (dayOf(first) !== dayOf(last)) return `between ${dayOf(first)} and ${dayOf(last)}`;
	return `${dayOf(first)} at ${clock.format(first)}`;
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

import { LEASE } from '../../nodes/ImageGeneration/recall/process/lease';
import type { ExecutionPlan } from './logSchedule';
import type { LogSimulation } from './logSimulation';
import type { Charge, SimulatedExecution, SimulatedRun } from './simulatedRuns';

/** What a simulation shows that the Purchase Log must never do. */
export function logViolations(world: LogSimulation): string[] {
	const { failures, freezes } = world.schedule;
	const violations = [
		...repeatedImages(world),
		...chargedTwice(world),
		...stoppedByRows(world),
		...foreignImages(world),
		...wrongTakeOvers(world),
		...missingRows(world),
		...lostImages(world),
	];
	// Nobody can tell a process that stands still from a dead one, so it may share an image, or let others wait.
	if (freezes.length === 0) {
		violations.push(...sharedImages(world), ...longWaits(world));
	}
	// A table that does not answer may cost an image or tell too much.
	if (failures === 0 && freezes.length === 0) {
		violations.push(...needlessCharges(world), ...falseTells(world), ...toldTwice(world));
	}
	return violations;
}

/** No row stops a run, whatever somebody has made of it. */
function stoppedByRows({ runs, schedule }: LogSimulation): string[] {
	if (schedule.failures > 0) return [];
	return runs
		.filter(({ end, of }) => end === 'refused' && !of.isTimedOut)
		.map(({ execution, refusal }) => `${execution} was stopped by the table: ${refusal}`);
}

function foreignImages({ runs, charges, table: { edited } }: LogSimulation): string[] {
	return runs.flatMap(({ output, execution }) =>
		output
			.filter(({ link }) => !edited.has(link))
			.filter(({ link, request }) => chargeOf(charges, link)?.request !== request)
			.map(({ link, request }) => `${execution} got ${link} for request ${request}`),
	);
}

/** Only Reuse Images and Retry may output an image twice. */
function sharedImages({ runs, charges, table: { edited } }: LogSimulation): string[] {
	return charges.flatMap(({ link }) => {
		const owners = runs.filter(
			(run) =>
				run.isKept &&
				// Without an end, a run looks as if its process had died, and its execution with it.
				!runs.some((other) => other.of === run.of && other.unmarked) &&
				run.plan.kind !== 'retry' &&
				run.output.some((image) => image.link === link && image.from !== 'earlier run'),
		);
		const executions = [...new Set(owners.map(({ execution }) => execution))];
		return executions.length > 1 && !edited.has(link)
			? [`${link} went to ${executions.join(', ')}`]
			: [];
	});
}

/** Equal requests of a run get an image each. */
function repeatedImages({ runs }: LogSimulation): string[] {
	return runs.flatMap(({ output, execution }) =>
		output
			.filter(({ link, job }) => output.some((other) => other.link === link && other.job !== job))
			.map(({ link, job }) => `${execution} got ${link} for ${job} and for another job`),
	);
}

/** Each charge is in the output of a run, or a user was told about it. */
function lostImages({
	runs,
	charges,
	table: { rows, spoilt, edited, taken },
	executions,
}: LogSimulation): string[] {
	return charges.flatMap((charge) => {
		const { link, run, job } = charge;
		const label = `Item ${Number(job.slice(2)) + 1}, "request ${charge.request}"`;
		const isInOutput = runs.some(
			({ end, isEnding, output }) =>
				(end === 'delivered' || end === 'failed' || isEnding) &&
				output.some((image) => image.link === link),
		);
		// Its run said so itself: in its output, its message or, for a stopped run, what comes later.
		const isSaid =
			run.end === 'delivered' || run.end === 'failed' || run.end === 'refused' || run.isEnding;
		// So does the run that took it over, of which the table did not answer later.
		const isSaidByTaker = taken.some(
			({ row, by }) => row.link === link && (by.end === 'refused' || by.end === 'failed'),
		);
		// What a table did not take goes with its process.
		const owner = rows.find((row) => row.link === link)?.run;
		const isForgotten = runs.some(
			(each) => (each === run || each.name === owner) && each.unmarked && each.process.isDead,
		);
		// So does what somebody has removed. What a run that is cut off was about to tell stands in the table.
		const isSpoilt =
			spoilt.has(link) || edited.has(label) || rows.some((row) => spoilt.has(row.entry));
		const isMarked = rows.some((row) => row.state === 'told' && row.image === label);
		const said = `unclear ${run.execution} ${job}`;
		// Its caller repeated it, and that run says so; equal requests change places.
		const isSaidAgain = runs.some(
			(other) =>
				run.of.caller !== undefined &&
				other.of.caller === run.of.caller &&
				other.told.some((each) => each.startsWith('unclear')),
		);
		const isTold = runs.some(({ told }) => told.some((each) => [link, said, label].includes(each)));
		if (isInOutput || isSaid || isSaidByTaker || isSaidAgain || isTold) return [];
		// Retry finds it in the data of an execution that failed.
		const isStored = executions.some(
			({ end, plan, store }) =>
				end === 'error' && plan.savesFailure && JSON.stringify(store).includes(`"${link}"`),
		);
		if (isForgotten || isSpoilt || isMarked || isStored) return [];
		const state = rows.find((row) => row.link === link)?.state ?? 'no row';
		return [`${link} of ${run.execution} (${run.end}) is lost: ${state}`];
	});
}

/**
 * What n8n runs again by itself never pays again for a job, unless another execution took its image: an
 * execution, or a sub-workflow that its caller repeats.
 */
function chargedTwice({ charges, runs, table: { taken, spoilt } }: LogSimulation): string[] {
	const isTaken = ({ link, run }: Charge) =>
		taken.some(({ row, by }) => row.link === link && workOf(by) !== workOf(run)) ||
		runs.some(
			(other) => workOf(other) !== workOf(run) && other.output.some((image) => image.link === link),
		);
	// Which request a row without a link was of, nobody can tell any more.
	if (spoilt.has('')) return [];
	const counts = new Map<string, number>();
	return charges.flatMap((charge) => {
		const { request, run, job, link } = charge;
		// A caller passes its requests on again, so equal ones change places.
		const isCalled = run.of.caller !== undefined;
		const id = `${workOf(run)} ${isCalled ? `request ${request}` : job}`;
		const count = counts.get(id) ?? 0;
		if (!isTaken(charge) && !spoilt.has(link)) counts.set(id, count + 1);
		const asked = run.plan.requests.filter((each) => each === request).length;
		// The table did not show what had become of it.
		const isUnknown = runs.some((other) => workOf(other) === workOf(run) && other.unmarked);
		const isAgain = count >= (isCalled ? asked * run.plan.rounds : 1);
		return isAgain && !isUnknown ? [`${id} was charged again: ${link}`] : [];
	});
}

/** What n8n repeats by itself: an execution, or all that one caller runs. */
function workOf({ of }: SimulatedRun): string {
	return of.caller === undefined ? of.id : of.caller.id;
}

function wrongTakeOvers({ table: { taken, edited } }: LogSimulation): string[] {
	return taken
		.filter(({ isFair, row }) => !isFair && !edited.has(row.entry))
		.map(({ row, by }) => `${by.execution} took ${row.link} from the live run ${row.run}`);
}

function longWaits({ runs, schedule }: LogSimulation): string[] {
	const slowest = Math.max(...schedule.clocks.map(({ speed }) => 1 / speed));
	// One more look, and three calls of the table for each.
	const longest = (LEASE + 1000) * slowest + 40 * (schedule.latency + 1);
	return runs
		.filter(({ foundIn }) => foundIn !== undefined && foundIn > longest)
		.map(({ execution, foundIn }) => `${execution} waited ${foundIn} ms`);
}

/** What may have been charged stands in the table, whatever attempt of the run asked for it. */
function missingRows({ runs, table: { rows, edited } }: LogSimulation): string[] {
	// Which request a row without a link was of, nobody can tell any more.
	if (edited.has('')) return [];
	return runs
		.filter(({ end, unmarked }) => (end === 'delivered' || end === 'failed') && !unmarked)
		.flatMap(({ execution, unclear }) =>
			unclear
				.map((job) => `Item ${Number(job.slice(2)) + 1},`)
				.filter((image) => !rows.some((row) => row.image.startsWith(image)))
				.map((image) => `the unclear request ${image} of ${execution} has no row`),
		);
}

/** No run tells of an image as left over that another one has delivered. */
function falseTells({ runs, table: { taken, edited } }: LogSimulation): string[] {
	const hasOutput = (link: string) => (run: SimulatedRun) =>
		run.output.some((image) => image.link === link && image.from !== 'earlier run');
	return runs.flatMap(({ told, began, execution }) => {
		// Retry delivers what its execution had bought, although another run may have taken it over.
		const delivered = runs.filter(
			({ plan, isKept, endedAt, of }) =>
				plan.kind !== 'retry' && isKept && endedAt < began && !of.isTimedOut,
		);
		// An execution that was cut off in a later round leaves what it had delivered.
		const isLeft = (link: string) => taken.some(({ row }) => row.link === link);
		return told
			.filter((link) => !isLeft(link) && !edited.has(link))
			.filter((link) => delivered.some(hasOutput(link)))
			.map((link) => `${execution} told of ${link}, which was delivered`);
	});
}

/** Of several runs that find the same, one tells of it. */
function toldTwice({ runs, table: { taken, edited } }: LogSimulation): string[] {
	const ended = runs.filter(({ end }) => end === 'delivered' || end === 'failed');
	const all = ended.flatMap(({ toldOf, execution }) =>
		toldOf.map(({ entry, link }) => ({ entry, link, execution })),
	);
	// What was taken over and cut off again is news, and so is a result that came later.
	const isNews = (entry: string) => taken.some(({ row }) => row.entry === entry);
	const isRepeated = ({ entry, link }: (typeof all)[number], index: number) =>
		all.findIndex((each) => each.entry === entry && each.link === link) < index;
	return all
		.filter(isRepeated)
		.filter(({ entry, link }) => !isNews(entry) && !edited.has(entry) && !edited.has(link))
		.map(({ entry, execution }) => `${execution} told of ${entry} again`);
}

/** A run uses what was left for its request, as docs/money-safety.md says, and does not buy it again. */
function needlessCharges(world: LogSimulation): string[] {
	const { runs, charges } = world;
	const { rows, spoilt } = world.table;
	return runs.flatMap((run) => {
		if (run.end !== 'delivered' && run.end !== 'failed') return [];
		const bought = charges.filter((charge) => charge.run === run);
		return bought.flatMap(({ request, link }) => {
			const left = rows.find(
				(row) =>
					row.link !== '' &&
					row.run !== run.name &&
					!spoilt.has(row.link) &&
					!spoilt.has(row.entry) &&
					!runs.some(
						({ output, isKept }) => isKept && output.some((image) => image.link === row.link),
					) &&
					!run.output.some((image) => image.link === row.link) &&
					chargeOf(charges, row.link)?.request === request &&
					wasLeft(world, row.link, run, request),
			);
			return left === undefined
				? []
				: [
						`${run.execution} bought ${link}, but ${left.link} of ${left.execution} was left (${left.state})`,
					];
		});
	});
}

/** Whether an image was left to a later run, and nobody else could take it meanwhile. */
function wasLeft(
	{ runs, charges }: LogSimulation,
	link: string,
	later: SimulatedRun,
	request: number,
): boolean {
	// The last run that had it: the one that bought it, took it over or, as a retry, had it.
	const last =
		runs.findLast(
			(run) => run.output.some((image) => image.link === link) && !hasReused(run, link, runs),
		) ?? chargeOf(charges, link)?.run;
	if (last === undefined || last.of === later.of) return false;
	// n8n keeps what Retry began with, and a failed run leaves it to the next Retry.
	const isKept = last.isEnding && last.plan.failing > 0 && last.of.inherited.keptLinks.has(link);
	if (isKept) return false;
	const isTouched = runs.some(
		(other) =>
			other.of !== last.of &&
			other !== later &&
			other.plan.requests.includes(request) &&
			other.began < later.endedAt &&
			// What a run has delivered is its execution's as long as that goes on.
			other.of.endedAt > last.began,
	);
	return wasCutOff(last, later) && !isTouched;
}

/** Whether a run only shares an image with another one: it reused it, or retries an execution that did. */
function hasReused(
	{ of, output }: SimulatedRun,
	link: string,
	runs: readonly SimulatedRun[],
): boolean {
	const retried = runs.filter((run) => run.of === of.before);
	const isReused = output.some((image) => image.link === link && image.from === 'earlier run');
	return isReused || retried.some((run) => hasReused(run, link, runs));
}

/** Whether a run or its execution had been cut off when a later one began, and that one can know it. */
function wasCutOff(last: SimulatedRun, later: SimulatedRun): boolean {
	const { of } = last;
	const { caller } = of;
	const isBefore = (time: number) => time + 2000 < later.began;
	// What the table did not take is known only in that process.
	const isKnown = !last.unmarked || last.process === later.process;
	switch (last.end) {
		case 'killed':
			// If it had written its end, n8n is asked, which may have noticed nothing, or store nothing.
			if (last.isEnding) return isKnownToN8n(of) && isBefore(of.endedAt);
			return isBefore(last.endedAt);
		case 'stopped':
			return isBefore(last.endedAt) && isKnown;
		case 'failed':
			// Nobody can retry a sub-workflow by itself. n8n stores what a failed execution bought, or not.
			if (caller === undefined && of.plan.savesFailure) return false;
			return isBefore(last.endedAt) && isKnown;
		case 'delivered':
			if (!isBefore(of.endedAt) || !isKnown) return false;
			// Stop also reaches the process of a run that has ended.
			if (of.end === 'canceled') return last.process === later.process || isStoredAsCutOff(of);
			if (of.end === 'crashed') return isKnownToN8n(of);
			if (caller === undefined || of.end !== 'success') return false;
			return isBefore(caller.endedAt) && isStoredAsCutOff(caller);
		default:
			return false;
	}
}

/** Whether n8n says of an execution that nothing of it is stored. */
function isStoredAsCutOff(of: SimulatedExecution): boolean {
	if (of.end === 'canceled') return !of.isTimedOut && saysOfCutOffs(of.plan);
	return of.end === 'crashed' && isKnownToN8n(of);
}

/** Whether n8n has noticed that an execution was killed, and says so. */
function isKnownToN8n({ plan, isNoticed }: SimulatedExecution): boolean {
	return saysOfCutOffs(plan) && isNoticed;
}

/** Whether n8n stores of such an execution that it was cut off, and no output. */
function saysOfCutOffs({ savesFailure, savesProgress, deletedAfter }: ExecutionPlan): boolean {
	return savesFailure && !savesProgress && deletedAfter === undefined;
}

function chargeOf(charges: readonly Charge[], link: string): Charge | undefined {
	return charges.find((charge) => charge.link === link);
}

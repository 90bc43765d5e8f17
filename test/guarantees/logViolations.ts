import { LEASE } from '../../nodes/ImageGeneration/recall/leases';
import type { Charge, LogSimulation, SimulatedRun } from './logSimulation';

/** What a simulation shows that the Purchase Log must never do. */
export function logViolations(world: LogSimulation): string[] {
	const { failures } = world.schedule;
	return [
		...foreignImages(world),
		...sharedImages(world),
		...repeatedImages(world),
		...lostImages(world),
		...chargedTwice(world),
		...wrongTakeOvers(world),
		...longWaits(world),
		...missingRows(world),
		// A table that does not answer may cost an image or tell too much.
		...(failures === 0 ? [...needlessCharges(world), ...falseTells(world)] : []),
	];
}

function foreignImages({ runs, charges }: LogSimulation): string[] {
	return runs.flatMap(({ output, execution }) =>
		output
			.filter(({ link, request }) => chargeOf(charges, link)?.request !== request)
			.map(({ link, request }) => `${execution} got ${link} for request ${request}`),
	);
}

/** Only Reuse Images, Retry, and an execution that n8n runs again may output an image twice. */
function sharedImages({ runs, charges }: LogSimulation): string[] {
	return charges.flatMap(({ link }) => {
		const owners = runs.filter(
			({ end, unmarked, output }) =>
				end === 'delivered' &&
				!unmarked &&
				output.some((image) => image.link === link && image.from !== 'earlier run'),
		);
		const others = owners.filter(({ plan }) => plan.kind !== 'retry');
		const executions = [...new Set(others.map(({ execution }) => execution))];
		return executions.length > 1 ? [`${link} went to ${executions.join(', ')}`] : [];
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
function lostImages({ runs, charges, rows }: LogSimulation): string[] {
	return charges.flatMap((charge) => {
		const { link, run, job } = charge;
		const isInOutput = runs.some(
			({ end, isEnding, output }) =>
				(end === 'delivered' || end === 'failed' || isEnding) &&
				output.some((image) => image.link === link),
		);
		// Its run said so itself: in its output, its message or, for a stopped run, what comes later.
		const isSaid = run.end === 'delivered' || run.end === 'failed' || run.isEnding;
		const said = `unclear ${run.execution} ${job}`;
		const label = `Item ${Number(job.slice(2)) + 1}, "request ${charge.request}"`;
		const isTold = runs.some(({ told }) => told.some((each) => [link, said, label].includes(each)));
		if (isInOutput || isSaid || isTold) return [];
		const state = rows.find((row) => row.link === link)?.state ?? 'no row';
		return [`${link} of ${run.execution} (${run.end}) is lost: ${state}`];
	});
}

/** An execution that n8n runs again never pays again for a job, unless another one took its image. */
function chargedTwice({ charges, taken, runs }: LogSimulation): string[] {
	const isTaken = ({ link, run }: Charge) =>
		taken.some(({ row, by }) => row.link === link && by !== run.execution) ||
		runs.some(
			({ execution, output }) =>
				execution !== run.execution && output.some((image) => image.link === link),
		);
	const seen = new Set<string>();
	return charges.flatMap((charge) => {
		const id = `${charge.run.execution} ${charge.job}`;
		const isAgain = seen.has(id);
		if (!isTaken(charge)) seen.add(id);
		return isAgain ? [`${id} was charged again: ${charge.link}`] : [];
	});
}

function wrongTakeOvers({ taken }: LogSimulation): string[] {
	return taken
		.filter(({ isFair }) => !isFair)
		.map(({ row, by }) => `${by} took ${row.link} from the live run ${row.run}`);
}

function longWaits({ runs, schedule }: LogSimulation): string[] {
	const slowest = Math.max(...schedule.clocks.map(({ speed }) => 1 / speed));
	// One more look, and the calls of the table before and after it.
	const longest = (LEASE + 1000) * slowest + 16 * (schedule.latency + 1);
	return runs
		.filter(({ foundIn }) => foundIn !== undefined && foundIn > longest)
		.map(({ execution, foundIn }) => `${execution} waited ${foundIn} ms`);
}

/** What may have been charged stands in the table, whatever attempt of the run asked for it. */
function missingRows({ runs, rows }: LogSimulation): string[] {
	return runs
		.filter(({ end, unmarked }) => (end === 'delivered' || end === 'failed') && !unmarked)
		.flatMap(({ name, execution, unclear }) =>
			unclear
				.filter((job) => !rows.some((row) => row.run === name && row.job === job))
				.map((job) => `the unclear request ${job} of ${execution} has no row`),
		);
}

/** No run tells of an image as left over that another one has delivered. */
function falseTells({ runs }: LogSimulation): string[] {
	const hasOutput = (link: string) => (run: SimulatedRun) =>
		run.output.some((image) => image.link === link && image.from !== 'earlier run');
	return runs.flatMap(({ told, began, execution }) => {
		// Retry delivers what its execution had bought, although another run may have taken it over.
		const delivered = runs.filter(
			({ plan, end, endedAt }) => plan.kind !== 'retry' && end === 'delivered' && endedAt < began,
		);
		return told
			.filter((link) => delivered.some(hasOutput(link)))
			.map((link) => `${execution} told of ${link}, which was delivered`);
	});
}

/** A run that begins after another one died, and finds its image in the table, does not buy it again. */
function needlessCharges({ runs, charges, rows }: LogSimulation): string[] {
	return runs.flatMap((run) => {
		if (run.end !== 'delivered' && run.end !== 'failed') return [];
		const bought = charges.filter((charge) => charge.run === run);
		return bought.flatMap(({ request, link }) => {
			const left = rows.find(
				(row) =>
					row.link !== '' &&
					['stopped', 'reported'].includes(row.state) &&
					!run.output.some((image) => image.link === row.link) &&
					chargeOf(charges, row.link)?.request === request &&
					wasAvailable(runs, row.run, run, request),
			);
			return left === undefined
				? []
				: [`${run.execution} bought ${link}, but ${left.link} was left`];
		});
	});
}

/**
 * Whether nobody else could take an image meanwhile.
 * @param owner The last run that had it: the one that bought it, took it over or, as a retry, had it.
 */
function wasAvailable(
	runs: readonly SimulatedRun[],
	owner: string,
	later: SimulatedRun,
	request: number,
): boolean {
	const last = runs.find(({ name }) => name === owner);
	// If n8n runs an execution again, each round of its loop asks for its own images.
	const isOtherRound = last?.execution === later.execution && last.round !== later.round;
	if (last === undefined || isOtherRound) return false;
	const isOver =
		(last.end === 'killed' || last.end === 'stopped') && last.endedAt + 2000 < later.began;
	const isTouched = runs.some(
		(other) =>
			other !== last &&
			other !== later &&
			other.plan.requests.includes(request) &&
			other.began < later.endedAt &&
			other.endedAt > later.began,
	);
	return isOver && !isTouched;
}

function chargeOf(charges: readonly Charge[], link: string): Charge | undefined {
	return charges.find((charge) => charge.link === link);
}

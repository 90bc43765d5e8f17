import { processOf } from '../../../nodes/ImageGeneration/recall/purchase';
import type { Charge, Said, SimulatedExecution, SimulatedRun } from './executions';
import { HOUR, MINUTE, SECOND } from './plan';
import type { World } from './world';

/** What a world has shown, by kind: each with where it happened. */
export interface Findings {
	/** What must never happen. */
	violations: string[];
	/** What DESIGN calls a limit: nothing that n8n tells prevents it. */
	limits: string[];
}

type Use = SimulatedExecution['uses'][number] & { by: SimulatedExecution };

/** How often an image may be taken. */
const MOST_TAKEN = 3;
/** Longest wait for an answer that is awaited. */
const LONGEST_WAIT = 2 * MINUTE;
/** A run that waits looks at its table, which takes time, before it goes on. */
const LAST_LOOKS = 45 * SECOND;

/** Checks what must hold in a world that has been played, however the node does it. */
export function findingsOf(world: World): Findings {
	const findings: Findings = { violations: [...world.violations], limits: [] };
	if (world.clock.isEndless) findings.violations.push('it never ends');
	const told = toldCharges(world, readable);
	for (const charge of world.service.charges) {
		checkKept(world, charge, told, findings);
		checkUsedOnce(world, charge, findings);
	}
	checkEnds(world, findings);
	checkDayLimit(world, findings);
	checkTable(world, findings);
	return findings;
}

function usesOf({ executions }: World, charge: Charge): Use[] {
	return executions.flatMap((by) =>
		by.uses.filter((use) => use.charge === charge).map((use) => ({ ...use, by })),
	);
}

// Nothing paid for is lost

/** Each charge is in an execution that ended well, or there for the next run that asks for the same, or told. */
function checkKept(
	world: World,
	charge: Charge,
	told: ReadonlySet<Charge>,
	findings: Findings,
): void {
	if (!charge.isCharged || charge.run.execution.plan.isProbe) return;
	const uses = usesOf(world, charge);
	if (uses.some(({ by }) => by.isWell || by.plan.isProbe) || told.has(charge)) return;
	const limit = limitOfLoss(world, charge, uses);
	const what = `image ${charge.id}, bought by ${charge.run.execution.id}, is lost`;
	if (limit === undefined) findings.violations.push(what);
	else findings.limits.push(`lost: ${limit}`);
}

function limitOfLoss(world: World, charge: Charge, uses: readonly Use[]): string | undefined {
	const { hasLog } = world;
	// The editor and Reuse Images have an image as well, and change nothing.
	const owners = uses.filter(({ by }) => isOwner(by, charge)).sort((a, b) => a.at - b.at);
	const last = owners.at(-1)?.by ?? charge.run.execution;
	if (!hasLog && charge.process.isDead) return 'without a log, n8n forgets as it restarts';
	// The node knows by itself of its own failure, and of Stop and a time limit unless it has been in a pause.
	const isOfFailedRun = last.failedAt === 'node' && owners.length === 0;
	const isKnown = isOfFailedRun || last.stop.signal.aborted;
	const unknown = isKnown && last.plan.pause === undefined ? last.callers : [last, ...last.callers];
	const is = (test: (each: SimulatedExecution) => boolean) => unknown.some(test);
	if (is(({ isLost }) => isLost)) return 'the database was away as n8n stored the execution';
	if (is(({ isUnsaved }) => isUnsaved)) return 'n8n does not store the execution';
	// Retry with the later nodes alone leaves an image with the execution that it retries.
	if (is(({ isDeleted, retries }) => isDeleted || retries?.isDeleted === true)) {
		return 'somebody deleted the execution';
	}
	if (is(({ truth }) => truth === 'timed out')) {
		return "a time limit ended a later node of a sub-workflow's caller, or after a pause";
	}
	if (last.truth === 'timed out' && charge.process.isDead) {
		return 'n8n was killed before the table said that a time limit had ended the run';
	}
	if (last.truth === 'killed' && !last.stored.hasError && last.plan.pause !== undefined) {
		return 'n8n never noticed that the process died in which an execution went on after a pause';
	}
	if (toldCharges(world, unreadable).has(charge)) {
		return 'n8n did not store the execution that told of it';
	}
	if (isToldInVain(world, charge)) return 'n8n was killed before it stored what a run told';
	if (takenOf(world, charge) >= MOST_TAKEN) return 'three further runs took it';
	return undefined;
}

/** How often other runs have taken an image. */
function takenOf(world: World, { link }: Charge): number {
	const { processes, tables, hasLog } = world;
	const known = processes.flatMap(({ journal }) => journal.find(() => true));
	const purchase = known.find(({ result }) => result?.output_url === link);
	const row = hasLog
		? tables.table('Purchases').rows.findLast((each) => each.link === link)
		: undefined;
	return purchase?.taken ?? Number(row?.taken ?? 0);
}

/** The charges that people could read of. */
function toldCharges(
	{ executions, service: { charges }, runs }: World,
	saidIn: (execution: SimulatedExecution) => readonly Said[],
): Set<Charge> {
	const told = new Set<Charge>();
	for (const { run, text, toTell } of executions.flatMap(saidIn)) {
		for (const charge of charges) {
			const isOwnUnclear =
				charge.run === run && charge.outcome === 'unclear' && /charged/.test(text);
			if (isOwnUnclear || text.includes(charge.link)) told.add(charge);
		}
		for (const { result, run: name, shown } of toTell) {
			if (result !== undefined) continue;
			const of = runs.find(({ names }) => names.includes(name));
			const [, ask] = /"(\w)/.exec(shown.image) ?? [];
			const isOpen = ({ outcome, process }: Charge) =>
				// An answer may have died with its process.
				outcome === 'unclear' || (outcome === 'image' && process.isDead);
			const isMeant = (each: Charge) =>
				each.run === of && each.ask === ask && isOpen(each) && !told.has(each);
			const same = charges.filter(isMeant);
			// Which of several equal requests of one run it is, makes no difference. One that was answered has mostly been
			// recorded, and one that somebody has used surely has.
			const charged = same.filter(({ isCharged }) => isCharged);
			const isUsed = (each: Charge) =>
				executions.some(({ uses }) => uses.some(({ charge }) => charge === each));
			const one =
				charged.find(({ outcome }) => outcome === 'unclear') ??
				charged.find((each) => !isUsed(each)) ??
				charged[0] ??
				same[0];
			if (one !== undefined) told.add(one);
		}
	}
	return told;
}

function readable({ said, truth, plan, isLost, isUnsaved }: SimulatedExecution): Said[] {
	const isStored = !isLost && !isUnsaved && truth !== 'stopped' && truth !== 'killed';
	return plan.isManual || isStored ? said : [];
}

/** What is said although nobody may read it. Of one that is stopped, the node takes it back if it still can. */
function unreadable({ said, truth, plan, process }: SimulatedExecution): Said[] {
	const isTakenBack = truth === 'stopped' && plan.pause === undefined && !process.isDead;
	return isTakenBack ? [] : said;
}

/** Whether a run that was killed had recorded that it tells of a request, its own or another run's. */
function isToldInVain({ runs, tables, hasLog }: World, { run, ask }: Charge): boolean {
	const isMeant = (text: unknown) => String(text).includes(`"${ask}`);
	const isKilled = ({ execution }: SimulatedRun) => execution.truth === 'killed';
	const isToldOf = (by: SimulatedRun) =>
		by.toTell.some((each) => run.names.includes(each.run) && isMeant(each.shown.image));
	const rows = hasLog ? tables.table('Purchases').rows : [];
	const hasToldItself = rows.some(
		(row) => run.names.includes(String(row.run)) && row.told === 'yes' && isMeant(row.image),
	);
	return (isKilled(run) && hasToldItself) || runs.filter(isKilled).some(isToldOf);
}

// Nothing is used twice

/** An image is used by one execution until that has not ended well. */
function checkUsedOnce(world: World, charge: Charge, findings: Findings): void {
	const owners = usesOf(world, charge).filter(({ by }) => isOwner(by, charge));
	owners.sort((a, b) => a.at - b.at);
	// What it has, an execution may use again: a later round of a loop, or of the editor.
	const isFirst = ({ by }: Use, index: number) =>
		owners.findIndex((use) => use.by === by) === index;
	const uses = owners.filter(isFirst);
	for (const [index, later] of uses.entries()) {
		const before = uses.slice(0, index);
		// Whoever had it before that one has given it up, or a limit explains it.
		const earlier = before.findLast(({ by }) => by.origin !== later.by.origin);
		if (earlier === undefined || hasEndedBadly(earlier.by, later.at)) continue;
		const limit = limitOfSecondUse(world, earlier, later);
		const what = `image ${charge.id} of ${earlier.by.id} was used by ${later.by.id} as well`;
		if (limit === undefined) findings.violations.push(what);
		else findings.limits.push(`used twice: ${limit}`);
	}
}

/** Whether an execution makes images its own; the editor and Reuse Images have them as well. */
function isOwner({ plan, id }: SimulatedExecution, charge: Charge): boolean {
	const isSharing = plan.isManual || plan.reuse === 'always';
	return !isSharing || charge.run.execution.id === id;
}

function hasEndedBadly(execution: SimulatedExecution, at: number): boolean {
	return [execution, ...execution.callers].some(
		({ truth, endedAt }) => endedAt <= at && truth !== 'well',
	);
}

function limitOfSecondUse(
	{ schedule }: World,
	{ by: earlier, at }: Use,
	{ by: later, at: usedAt }: Use,
): string | undefined {
	const { retries } = earlier;
	const all = [earlier, ...earlier.callers];
	if (retries !== undefined && at < earlier.startedAt) {
		return 'Retry finished a failed execution with its later nodes alone';
	}
	const isFinished = ({ origin, id }: SimulatedExecution, when: number) =>
		origin.id !== id && hasEndedBadly(origin, when);
	if (isFinished(earlier, usedAt) || isFinished(later, at)) {
		return 'Retry finished a failed execution whose image another run had taken';
	}
	if (all.some(({ isLost }) => isLost)) return 'the database was away as n8n stored the execution';
	// Whoever took it then may have left it to somebody in the same process again.
	// The table has the time of its database.
	const clocks = [0, ...schedule.clocks];
	const skew = Math.max(...clocks) - Math.min(...clocks);
	const isOld = (when: number) => when - at + skew > HOUR;
	const hasOthers = schedule.clocks.length > 1 || schedule.kills.length > 0;
	if (hasOthers && isOld(usedAt) && all.some(({ endedAt }) => isOld(endedAt))) {
		return 'an execution went on for over an hour in another process';
	}
	const isUnlikeRunning = (each: SimulatedExecution) =>
		each.endedAt > usedAt && each.retries?.stored.isRecovered === true;
	if (hasOthers && all.some(isUnlikeRunning)) {
		return 'Retry of an execution that was killed in a loop went on in another process';
	}
	if (all.some(({ isUnsaved }) => isUnsaved)) return 'n8n does not store the execution';
	if (all.some(({ isDeleted }) => isDeleted)) return 'somebody deleted the execution';
	if (earlier.plan.isDetached && schedule.outages.length > 0) {
		return 'the database was away as a sub-workflow asked whether its caller waits';
	}
	return undefined;
}

// Everything ends

function checkEnds(world: World, findings: Findings): void {
	const { executions, runs, schedule } = world;
	for (const { id, truth, process } of executions) {
		const isOpen = truth === 'running' || truth === 'waiting';
		if (isOpen && !process.isDead) findings.violations.push(`${id} never ends`);
	}
	const standstills = schedule.freezes.reduce((sum, { ms }) => sum + ms, 0);
	const outages = schedule.outages.reduce((sum, { from, to }) => sum + to - from, 0);
	const longest = LONGEST_WAIT + LAST_LOOKS + standstills + outages;
	for (const { execution, waited } of runs) {
		const { reuse, dayLimit, asks, tries } = execution.plan;
		// Then each request waits as long for a place, in each try.
		const most = dayLimit === undefined ? longest : longest + LONGEST_WAIT * asks.length * tries;
		if (reuse === 'always' || waited <= most) continue;
		findings.violations.push(`${execution.id} waited for ${waited / SECOND} s`);
	}
}

// Limits hold

function checkDayLimit({ service, schedule, hasLog }: World, findings: Findings): void {
	const dayLimit = schedule.executions[0]?.dayLimit ?? Infinity;
	const counts = new Map<string, number>();
	for (const { isCharged, run, process } of service.charges) {
		const { isProbe, node } = run.execution.plan;
		if (!isCharged || isProbe) continue;
		const key = hasLog ? node : `${node} in ${process.name}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	for (const [key, count] of counts) {
		if (count > dayLimit)
			findings.violations.push(`${count} images of ${key}, at most ${dayLimit} a day`);
	}
}

// The table says what the journal says

function checkTable(world: World, findings: Findings): void {
	const { processes, tables, hasLog, schedule } = world;
	if (!hasLog) return;
	const { rows } = tables.table('Purchases');
	for (const process of processes) {
		for (const { node } of schedule.executions) {
			const { writes } = process.pendingWritesOf(JSON.stringify([node, 'Purchases']));
			if (writes.size > 0)
				findings.violations.push(`${process.name} has not written ${writes.size} rows`);
		}
		for (const { entry, run, state } of process.journal.find(() => true)) {
			const row = rows.findLast((each) => each.entry === entry);
			const isOther = row !== undefined && row.run !== run;
			if (isOther && processOf(run) !== process.name) continue;
			if (row === undefined) findings.violations.push(`${entry} of ${run} has no row`);
			else if (!isOther && row.state !== state) {
				findings.violations.push(`${entry} is ${state}, and its row ${String(row.state)}`);
			}
		}
	}
}

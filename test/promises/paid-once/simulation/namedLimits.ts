import { HOUR, MINUTE, SECOND } from './clock';
import type { Charge, Receipt, SimulatedExecution } from './executions';
import type { Workflow } from './plan';
import type { World } from './world';

/** How long images are remembered. */
const REMEMBERED = 80 * HOUR;
/** How long a cut-out of an address is the same for everybody. */
const SAME_ADDRESS = 10 * MINUTE;
/** How long a run waits for a request of another one, counted from when that went out. */
export const LONGEST_WAIT = 2 * MINUTE;

/** A request that went out although an image of the same wish was there. */
export interface Doubled {
	world: World;
	/** The later request. */
	charge: Charge;
	earlier: Charge;
}

/** A picture that came to a second wish. */
export interface Shared {
	world: World;
	charge: Charge;
	first: Receipt;
	second: Receipt;
}

/** Why somebody pays although there was an image of the same wish: what DESIGN names as limits, or says in its rules. */
const PAID_AGAIN: Record<string, (doubled: Doubled) => boolean> = {
	'images are remembered for 80 hours': ({ world, charge, earlier }) =>
		charge.at - earlier.at > REMEMBERED - MINUTE &&
		!(charge.workflow.reuse === 'always' && world.settings.hasLog),
	'a cut-out of an address is the same for ten minutes': ({ charge, earlier }) =>
		charge.workflow.isByAddress &&
		charge.workflow.reuse !== 'always' &&
		charge.at - earlier.at > SAME_ADDRESS - MINUTE,
	'without a log, another worker and everything after a restart': ({ world, charge, earlier }) =>
		!world.settings.hasLog && earlier.process !== charge.process,
	'nobody heard the answer': ({ charge, earlier }) =>
		earlier.outcome !== 'image' || (earlier.process.isDead && isInFlight(earlier, charge)),
	'the same asked at once': ({ world, charge, earlier }) =>
		// Between two nodes of an execution in the editor, another one may begin to use the image.
		(earlier.execution !== charge.execution || charge.execution.isManual) &&
		(!isForBoth(charge, earlier) || earlier.process !== charge.process) &&
		world.executions.some((each) => asksAtOnce(each, charge)),
	// A run reads the log once, as it starts.
	'asked on another worker before the answer': ({ world, charge, earlier }) =>
		earlier.process !== charge.process &&
		earlier.answeredAt > charge.attempt.startedAt - world.slowestCall,
	'nobody waits longer than two minutes': ({ charge, earlier }) =>
		isInFlight(earlier, charge) && charge.at - earlier.at > LONGEST_WAIT - SECOND,
	'Never has only what nobody has seen': ({ charge, earlier }) =>
		charge.workflow.reuse === 'never' &&
		(wasHad(earlier, charge.at) || earlier.execution.isManual !== charge.execution.isManual),
	'equal requests of a run keep their numbers': ({ charge, earlier }) =>
		charge.workflow.operation !== 'removeBackground' &&
		(charge.asking.length > 1 || earlier.asking.length > 1),
	'the table did not answer, or its process was killed before it had written': ({
		world,
		charge,
		earlier,
	}) =>
		world.settings.hasLog &&
		// A row that still names the run that bought it speaks against what its own process knows.
		(earlier.process !== charge.process || !wasHad(earlier, charge.at)) &&
		(isUnreliable(world) || earlier.process.isDead),
};

/** The same for a published run of Generate or Edit without the option, and of an address after ten minutes. */
const PAID_AGAIN_BY_DEFAULT: typeof PAID_AGAIN = {
	'who ended well keeps the image': ({ charge, earlier }) =>
		earlier.uses.some(({ by, at }) => at <= charge.at && by.isWellAt(charge.at)),
	'a fixed prompt wants another picture each time': ({ charge, earlier }) =>
		charge.workflow.isFixed && wasHad(earlier, charge.at),
	'an image of the editor stays there': ({ earlier }) => earlier.execution.isManual,
	'another node bought it': ({ charge, earlier }) =>
		earlier.attempt.node !== charge.attempt.node || earlier.workflow.name !== charge.workflow.name,
	'executions are not saved': (doubled) =>
		isHeldBy(
			doubled,
			({ truth, workflow }) => !(truth === 'well' ? workflow.savesWell : workflow.savesFailed),
		),
	'a time limit while a later node ran': (doubled) =>
		isHeldBy(doubled, ({ truth }) => truth === 'timed out'),
	'Stop And Error rejects all pictures of an execution': (doubled) =>
		isHeldBy(doubled, ({ truth }) => truth === 'rejected'),
	'killed, and n8n has not noticed, or could not store it': ({ charge, earlier }) =>
		chainOf(earlier, charge.at).some(
			({ truth, endedAt, storedAt, stored }) =>
				endedAt <= charge.at &&
				(storedAt > charge.at || (truth === 'killed' && stored.error === undefined)),
		),
	"n8n's database was away as it was asked": ({ world: { outages }, charge }) =>
		outages.some(({ from, to }) => charge.at > from && charge.at - MINUTE < to),
};

/** Why two wishes may have one picture. */
const SHARED: Record<string, (shared: Shared) => boolean> = {
	'Always shares what is the same': ({ first, second }) =>
		[first, second].some(({ by }) => by.workflow.reuse === 'always'),
	'all items of a run ask for the same': ({ charge, first, second }) =>
		first.by === second.by &&
		(charge.isForAllItems || second.by.start.wishes.every(({ ask }) => ask === charge.ask)),
	'Retry finished a failed execution by its later nodes alone': ({ charge, second }) =>
		second.by.retries !== undefined && !charge.uses.some(({ by }) => by === second.by),
	'the table did not hear who has it': ({ world, first, second }) =>
		first.by.process !== second.by.process && isUnreliable(world),
	'equal requests after an execution that did not end well': ({ charge, first, second }) =>
		!charge.workflow.isFixed &&
		first.by.origin !== second.by.origin &&
		!hasEndedWell(first.by, second.at),
};

/** How often each limit was met. */
export const counts = new Map<string, number>();

/** Finds the limit that explains something, and counts it. */
function explain<T>(promise: string, limits: Record<string, (facts: T) => boolean>, facts: T) {
	const name = Object.keys(limits).find((each) => limits[each]?.(facts));
	if (name === undefined) return false;
	const key = `${promise}: ${name}`;
	counts.set(key, (counts.get(key) ?? 0) + 1);
	return true;
}

export function mayBePaidAgain(doubled: Doubled): boolean {
	const { charge, earlier } = doubled;
	const isDefault =
		!isForBoth(charge, earlier) && !charge.execution.isManual && charge.workflow.reuse !== 'never';
	return (
		explain('paid again', PAID_AGAIN, doubled) ||
		(isDefault && explain('paid again', PAID_AGAIN_BY_DEFAULT, doubled))
	);
}
export const mayBeShared = (shared: Shared) => explain('one picture for two', SHARED, shared);

/** Whether what was bought then is for everybody who asks for the same now. */
export function isForAll(
	{ operation, isByAddress, reuse }: Workflow,
	now: number,
	then: number,
): boolean {
	const isRecent = !isByAddress || now - then <= SAME_ADDRESS;
	return reuse === 'always' || (operation === 'removeBackground' && isRecent && reuse !== 'never');
}

/** Whether the table may not have answered. */
function isUnreliable({ settings: { table }, outages }: World): boolean {
	return table.failures > 0 || outages.length > 0;
}

function isForBoth({ workflow, at }: Charge, earlier: Charge): boolean {
	return isForAll(workflow, at, earlier.at);
}

/** Whether somebody other than its own run's stopped or failed attempts has had an image by then. */
function wasHad({ uses }: Charge, time: number): boolean {
	return uses.some(({ at }) => at <= time);
}

/** Whether another execution that asks for the same goes on as a run looks for images, which it does once, at its start. */
function asksAtOnce(
	other: SimulatedExecution,
	{ execution, workflow, ask, at, attempt }: Charge,
): boolean {
	const isOther = !execution.chain.includes(other) && other.startedAt <= at;
	const isLive = other.endedAt > attempt.startedAt || other.isLiveAt(attempt.startedAt);
	const isSame = other.workflow.operation === workflow.operation;
	return isOther && isLive && isSame && other.start.wishes.some((wish) => wish.ask === ask);
}

/** The executions that had an image by then, or the one that bought it. */
function holdersOf({ uses, execution }: Charge, time: number): SimulatedExecution[] {
	const holders = uses.filter(({ at }) => at <= time).map(({ by }) => by);
	return [execution, ...holders];
}

/** Them and those that wait for them. */
function chainOf(charge: Charge, time: number): SimulatedExecution[] {
	return holdersOf(charge, time).flatMap(({ chain }) => chain);
}

function isHeldBy(
	{ charge, earlier }: Doubled,
	is: (each: SimulatedExecution) => boolean,
): boolean {
	return wasHad(earlier, charge.at) && chainOf(earlier, charge.at).some(is);
}

function isInFlight(earlier: Charge, { at }: Charge): boolean {
	return earlier.answeredAt > at;
}

/** Whether it ended well by then, and not by Retry. */
function hasEndedWell(execution: SimulatedExecution, time: number): boolean {
	const isRetry = execution.chain.some(({ retries }) => retries !== undefined);
	return execution.isWellAt(time) && !isRetry;
}

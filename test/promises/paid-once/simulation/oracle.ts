import { DAY, MINUTE, SECOND } from './clock';
import type { Attempt, Charge, SimulatedExecution } from './executions';
import { isForAll, LONGEST_WAIT, mayBePaidAgain, mayBeShared } from './namedLimits';
import type { World } from './world';

/** How long a sub-workflow may not know that its caller is over. */
const UNHEARD = 2 * SECOND;
/** A run that waits looks at its table before it goes on. */
const LAST_LOOK = 20 * SECOND;

/**
 * What broke a promise in a world that has been played. It knows wishes, charges, pictures, and what really became of the
 * executions, and nothing of how the node remembers.
 */
export function findingsOf(world: World): string[] {
	const { service, clock, tables } = world;
	return [
		...(clock.isEndless ? ['it never ends'] : []),
		...tables.uncaught.map((error) => `n8n would end because of ${String(error)}`),
		...service.charges.flatMap((charge) => [
			...sentAgain(world, charge),
			...paidAgain(world, charge),
			...sentLate(world, charge),
			...wrongPictures(world, charge),
			...otherPictures(charge),
			...oldPictures(charge),
			...seenBefore(charge),
			...lost(world, charge),
		]),
		...changedPlaces(world),
		...rejectedAgain(world),
		...beyondLimit(world),
		...endless(world),
	];
}

// Nothing is paid for twice

/** Requests of the same run of the node, its tries included, for the same. */
function ofRun({ service: { charges } }: World, charge: Charge): Charge[] {
	const { attempt, execution, ask } = charge;
	return charges.filter(
		(each) =>
			each.id <= charge.id &&
			each.execution === execution &&
			each.attempt.node === attempt.node &&
			each.attempt.round === attempt.round &&
			each.ask === ask &&
			each.outcome !== 'free' &&
			!each.isCutOff,
	);
}

/** How many images a run needs for what a request asks for. */
function neededFor({ workflow, wishes, isForAllItems }: Charge): number {
	if (workflow.operation === 'removeBackground') return 1;
	return isForAllItems ? workflow.copies : wishes.size;
}

/** A run sends no request again that may have been charged. */
function sentAgain(world: World, charge: Charge): string[] {
	if (ofRun(world, charge).length <= neededFor(charge) || charge.outcome === 'free') return [];
	return [`${charge.execution.id} sent request ${charge.id} again, which may have been charged`];
}

/** A run buys as many images as it has wishes, less those that are there. */
function paidAgain(world: World, charge: Charge): string[] {
	if (!charge.isCharged) return [];
	const there = world.service.charges.filter((each) => isThere(world, each, charge));
	const missing = neededFor(charge) - ofRun(world, charge).length;
	if (copiesOf(world, there) <= missing) return [];
	const unexplained = there.filter((earlier) => !mayBePaidAgain({ world, charge, earlier }));
	if (copiesOf(world, unexplained) <= Math.max(0, missing)) return [];
	const names = unexplained.map(({ id, execution }) => `image ${id} of ${execution.id}`);
	return [`${charge.execution.id} paid for image ${charge.id}, and there was ${names.join()}`];
}

/** How many copies of an item the images are. The first copy, bought in the editor and bought in production, is one. */
function copiesOf({ logLines }: World, charges: Charge[]): number {
	const copies = charges.map(({ id, link }) => {
		const line = logLines.find((each) => each.includes(link));
		return /copy \d+(?= was bought)/.exec(line ?? '')?.[0] ?? `image ${id}`;
	});
	return new Set(copies).size;
}

/** Whether an image, or a request for one, was there for a later request of the same wish. */
function isThere({ service }: World, earlier: Charge, charge: Charge): boolean {
	const { at, ask, workflow, content, execution, wishes, attempt } = charge;
	const isSameRun =
		earlier.execution === execution &&
		earlier.attempt.node === attempt.node &&
		earlier.attempt.round === attempt.round;
	const isSame =
		earlier.id < charge.id &&
		!isSameRun &&
		earlier.ask === ask &&
		earlier.content === content &&
		earlier.workflow.operation === workflow.operation;
	if (!isSame || !earlier.isCharged || !service.isLinkAlive(earlier, at)) return false;
	if (isForAll(workflow, at, earlier.at)) return true;
	const isOfOtherRound = earlier.uses.some(
		(use) => use.by === execution && use.at <= at && use.round !== attempt.round,
	);
	const isMeant = [...earlier.wishes].some((wish) => wishes.has(wish));
	const isOthers = earlier.receipts.some(
		({ wish, by, at: when }) => when <= at && !by.isManual && !wishes.has(wish),
	);
	const isRejected = [...earlier.rejections].some(([wish, when]) => wishes.has(wish) && when <= at);
	return isMeant && !isOthers && !isRejected && !isOfOtherRound;
}

/** After Stop nothing new goes out, also after Stop of a caller. */
function sentLate({ settings, slowestCall, outages }: World, charge: Charge): string[] {
	const { execution, at } = charge;
	const stopped = execution.chain.find((each) => {
		const isStop = each.truth === 'stopped' || each.truth === 'timed out';
		const allowed = each === execution ? 0 : UNHEARD + SECOND + (settings.hasLog ? slowestCall : 0);
		return isStop && at > each.endedAt + allowed;
	});
	// Who can't ask n8n hears of nothing.
	if (stopped === undefined || outages.length > 0) return [];
	const late = Math.round((at - stopped.endedAt) / SECOND);
	return [`${execution.id} sent request ${charge.id} ${late} s after ${stopped.id} was stopped`];
}

// The picture that was meant

/** Two wishes have two pictures, and nobody receives a test picture. */
function wrongPictures(world: World, charge: Charge): string[] {
	const { receipts, wishes, workflow, execution, id } = charge;
	if (workflow.operation === 'removeBackground') return [];
	// Retry of a test is a test.
	const published = receipts.filter(({ by }) => !by.origin.isManual);
	return published.flatMap((second, index) => {
		const before = published.slice(0, index);
		if (before.some(({ wish }) => wish === second.wish)) return [];
		const isShared = second.by.workflow.reuse === 'always';
		if (execution.isManual && !wishes.has(second.wish) && !isShared) {
			return [`${second.by.id} gave the test picture ${id} to ${second.wish}`];
		}
		const first = before.find((each) => !mayBeShared({ world, charge, first: each, second }));
		if (first === undefined) return [];
		return [`image ${id} came to ${first.wish} and to ${second.wish} of ${second.by.id}`];
	});
}

/** A wish has a picture of what its item asked for. */
function otherPictures({ receipts, ask, id }: Charge): string[] {
	const others = receipts.filter(({ by, wish }) => {
		const [name] = wish.split(' copy ');
		return by.start.wishes.some((each) => each.name === name && each.ask !== ask);
	});
	return others.map(({ by, wish }) => `${by.id} gave ${wish} image ${id}, which shows ${ask}`);
}

/** What is behind an address now is what its picture shows, unless an execution that failed left an older one. */
function oldPictures(charge: Charge): string[] {
	const { receipts, workflow, content, id, at } = charge;
	if (!workflow.isByAddress) return [];
	const old = receipts.filter(({ by, wish }) => {
		const wished = by.start.wishes.find(({ name }) => name === wish)?.content ?? content;
		// Retry keeps what the execution before it had.
		const isAllowed = isForAll(by.workflow, by.origin.startedAt, at) || isAfterFailure(charge, by);
		return !by.isManual && wished !== content && !isAllowed;
	});
	return old.map(({ by, wish }) => `${by.id} gave ${wish} image ${id}, which shows an older photo`);
}

/** Whether an execution before it had or bought an image and did not end well. */
function isAfterFailure({ uses, execution }: Charge, by: SimulatedExecution): boolean {
	const before = uses.filter(({ at }) => at < by.startedAt).map((use) => use.by);
	return [execution, ...before].some(
		(each) => each !== by && (each.origin === by.origin || !each.isWellAt(by.startedAt)),
	);
}

/**
 * Never gives no picture that another execution has, but for what its own has bought. The editor only looks at what a
 * published one has bought.
 */
function seenBefore({ uses, id, execution }: Charge): string[] {
	const has = (by: SimulatedExecution) => execution.isManual || !by.isManual;
	const isSeen = (by: SimulatedExecution, before: Charge['uses']) =>
		by.workflow.reuse === 'never' &&
		by.origin !== execution.origin &&
		before.some((use) => use.by.origin !== by.origin && has(use.by));
	const again = uses.filter(({ by }, index) => isSeen(by, uses.slice(0, index)));
	return again.map(({ by }) => `${by.id} asked for another picture and has image ${id}`);
}

/** A picture that was rejected is not delivered again. A gate in a sub-workflow below is a named limit. */
function rejectedAgain({ rejectedTwice }: World): string[] {
	const isAllowed = ({ workflow: { reuse, steps } }: SimulatedExecution) =>
		reuse === 'always' || steps.some(({ kind }) => kind === 'gate below');
	const again = rejectedTwice.filter(({ by }) => !isAllowed(by));
	return again.map(({ by, charge }) => `${by.id} has image ${charge.id}, which was rejected`);
}

/** Pictures keep their places between two clicks in the editor. */
function changedPlaces({ executions, service }: World): string[] {
	const clicks = executions.filter(
		({ isManual, workflow, pictures }) =>
			isManual && workflow.reuse === undefined && pictures.size > 1,
	);
	return clicks.flatMap(({ id, workflow, pictures, startedAt, endedAt }, index) => {
		const before = clicks
			.slice(0, index)
			.findLast((each) => each.workflow.name === workflow.name && each.endedAt <= startedAt);
		// Where a request failed, another node of the click had what it asked for.
		if (service.charges.some((each) => each.execution === before && each.outcome !== 'image')) {
			return [];
		}
		const earlier = new Set(before?.pictures.values());
		const isMoved = ([wish, picture]: [string, Charge]) =>
			before?.pictures.has(wish) === true &&
			before.pictures.get(wish) !== picture &&
			earlier.has(picture);
		const isAlone = executions.every(
			(other) =>
				[id, before?.id].includes(other.id) ||
				other.endedAt < (before?.startedAt ?? 0) ||
				other.startedAt > endedAt,
		);
		// Of executions that go on meanwhile, an image is not free.
		const moved = isAlone ? [...pictures].filter(isMoved) : [];
		return moved.map(([wish]) => `the picture of ${wish} changed places in ${id}`);
	});
}

// Nothing paid for is lost

/** Somebody received what was charged, or a message, a row or n8n's log names it. If n8n was killed meanwhile, nobody knows. */
function lost(world: World, charge: Charge): string[] {
	const { isCharged, receipts, link, execution, id, ask, process } = charge;
	if (!isCharged || receipts.length > 0 || process.isDead) return [];
	// Its own execution, or one that asked for the same later.
	const isAbout = ({ origin, start }: SimulatedExecution) =>
		origin === execution.origin || start.wishes.some((wish) => wish.ask === ask);
	const texts = world.executions.filter(isAbout).flatMap(({ said }) => said);
	const isNamed = [...world.logLines, ...texts].some((text) => text.includes(link));
	const isSaid = texts.some((text) => /charged/.test(text));
	const isLogged = world.logLines.some(
		(line) => line.includes(execution.id) && /charged/.test(line),
	);
	const hasRow = world.rows.some((row) => Object.values(row).includes(execution.id));
	if (isNamed || isSaid || isLogged || hasRow) return [];
	return [`image ${id} of ${execution.id} is lost: ${charge.outcome}`];
}

// Limits hold, and everything ends

/** In any 24 hours: in a process, and with a log in all of them. Several workers at one moment are a named limit. */
function beyondLimit({ service: { charges }, settings }: World): string[] {
	return charges.flatMap((charge) => {
		const { workflow, at, process, isCharged } = charge;
		if (workflow.dayLimit === undefined || !isCharged) return [];
		const day = charges.filter(
			(each) =>
				each.isCharged &&
				each.workflow.name === workflow.name &&
				each.id <= charge.id &&
				each.at > at - DAY &&
				(settings.hasLog || each.process === process),
		);
		const isAtOnce = day.some((each) => each.process !== process && at - each.at < 5 * MINUTE);
		if (day.length <= workflow.dayLimit || isAtOnce) return [];
		return [`image ${charge.id} is number ${day.length} of ${workflow.dayLimit} in 24 hours`];
	});
}

function endless({ service, executions, attempts, outages }: World): string[] {
	const open = executions.filter((each) => !each.hasEnded() && !each.process.isDead);
	const away = outages.reduce((sum, { from, to }) => sum + to - from, 0);
	const pauses = LAST_LOOK + away;
	const long = attempts.filter(
		(attempt) => attempt.longestIdle > longestWait(service, attempt) + pauses,
	);
	return [
		...open.map(({ id }) => `${id} never ends`),
		...long.map(
			({ execution, longestIdle }) =>
				`${execution.id} waited ${Math.round(longestIdle / SECOND)} s for others`,
		),
	];
}

/** How long a run may wait: two minutes, and as long again for each request of another one that meanwhile hung. */
function longestWait({ charges }: World['service'], attempt: Attempt): number {
	const asks = new Set(attempt.wishes.map(({ ask }) => ask));
	const hanging = charges.filter(
		(each) =>
			each.attempt !== attempt &&
			asks.has(each.ask) &&
			each.at > attempt.startedAt &&
			each.answeredAt - each.at > LONGEST_WAIT,
	);
	return LONGEST_WAIT * (1 + hanging.length);
}

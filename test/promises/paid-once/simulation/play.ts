import { SECOND } from './clock';
import { findingsOf } from './oracle';
import { PLAIN, type Fate, type Settings, type Start, type Wish, type Workflow } from './plan';
import { World, type Notice } from './world';

/** A start of a workflow, and what else happens. Times are in milliseconds. */
export type Happening = { at: number } & (
	| ({ workflow?: Partial<Workflow> } & Start)
	| { kill: number; notice: Notice }
	| { change: (world: World) => void }
);

/** Wishes such as `row 5@a red fox`: what somebody wants, and what its item asks for. */
export const wishes = (...texts: string[]): Wish[] =>
	texts.map((text) => {
		const [name = '', ask = name] = text.split('@');
		return { name, ask };
	});

/** The service takes so many seconds for each image; the first requests end as the script says. */
export const service = (seconds: number, ...script: Array<Fate | readonly [Fate, number]>) => ({
	quickest: seconds * SECOND,
	slowest: seconds * SECOND,
	script: script.map((each) =>
		typeof each === 'string' ? ([each, seconds * SECOND] as const) : each,
	),
});

/** The world after a story. */
export async function worldAfter(
	story: readonly Happening[],
	settings: Partial<Settings> = {},
): Promise<World> {
	const world = new World(settings);
	for (const each of story) {
		world.at(each.at, () => {
			if ('kill' in each) world.kill(each.kill, each.notice);
			else if ('change' in each) each.change(world);
			else void world.start({ ...PLAIN, ...each.workflow }, each);
		});
	}
	await world.play();
	return world;
}

/** Plays a story, checks every promise, and counts. */
export async function play(story: readonly Happening[], settings: Partial<Settings> = {}) {
	const world = await worldAfter(story, settings);
	const findings = findingsOf(world);
	expect(findings.length > 0 ? [...findings, ...world.trace] : []).toStrictEqual([]);
	const started = world.executions.filter(({ caller }) => caller === undefined);
	const runs = world.executions.filter(({ workflow }) => workflow.callerTries === 0);
	return {
		world,
		/** Requests that were or may have been charged. */
		paid: world.service.charges.filter(({ outcome }) => outcome !== 'free').length,
		ends: started.map(({ truth }) => truth),
		/** The images that each execution of the node has, in the order of its wishes. */
		images: runs.map(({ pictures }) => Array.from(pictures.values(), ({ id }) => id)),
	};
}

/** Plays a story without a log and with one, which make no difference. */
export async function playBoth(story: readonly Happening[], settings: Partial<Settings> = {}) {
	const without = await play(story, settings);
	const { paid, ends, images } = await play(story, { ...settings, hasLog: true });
	expect({ paid, ends, images }).toStrictEqual({
		paid: without.paid,
		ends: without.ends,
		images: without.images,
	});
	return without;
}

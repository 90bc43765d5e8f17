import type * as Workflow from 'n8n-workflow';

import type * as Untold from '../../../nodes/ImageGeneration/recall/untold';
import type { Clock } from './clock';

/** The world whose time it is. */
export interface TimedWorld {
	clock: Clock;
	random: () => number;
	/** Called with what a run is about to tell of others. */
	onUntold: (run: object, found: Awaited<ReturnType<typeof Untold.findUntold>>) => void;
}

let active: TimedWorld | undefined;

const realNow = performance.now.bind(performance);

/** Lets the time of a world be that of all code, also where nothing hands it in. */
export async function inTimeOf<T>(world: TimedWorld, play: () => Promise<T>): Promise<T> {
	const { clock, random } = world;
	active = world;
	const spies = [
		jest.spyOn(performance, 'now').mockImplementation(() => clock.time),
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => clock.timeout(ms)),
		jest.spyOn(Math, 'random').mockImplementation(random),
	];
	try {
		return await play();
	} finally {
		for (const spy of spies) spy.mockRestore();
		active = undefined;
	}
}

/** n8n's `sleep`, which rejects if its signal is aborted. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	const { clock } = active ?? {};
	if (clock === undefined) throw new Error(`Nothing simulates time at ${realNow()}.`);
	await clock.sleep(clock.current, ms, signal);
	signal?.throwIfAborted();
}

jest.mock<typeof Workflow>('n8n-workflow', () => {
	const { loadOnce } = globalThis as { loadOnce?: (name: string) => typeof Workflow };
	const real = loadOnce?.('n8n-workflow') ?? jest.requireActual<typeof Workflow>('n8n-workflow');
	return Object.create(real, { sleep: { value: sleep } }) as typeof Workflow;
});

jest.mock<typeof Untold>('../../../nodes/ImageGeneration/recall/untold', () => {
	const real = jest.requireActual<typeof Untold>('../../../nodes/ImageGeneration/recall/untold');
	return {
		findUntold: async (attempt, known) => {
			const found = await real.findUntold(attempt, known);
			active?.onUntold(attempt, found);
			return found;
		},
	};
});

// Retries take their real time here.
jest.unmock('../../../nodes/ImageGeneration/buy/retries');

import crypto from 'node:crypto';
import type * as Workflow from 'n8n-workflow';

/** The world whose time it is, in milliseconds. */
interface TimedWorld {
	clock: {
		readonly time: number;
		/** Since 1970. */
		readonly timeOfDay: number;
		/** Waits in the process whose code runs now. */
		rest(ms: number, signal?: AbortSignal): Promise<void>;
		timeout(ms: number): AbortSignal;
	};
	random: () => number;
}

let active: TimedWorld | undefined;

/** Lets the time and the chance of a world be those of all code, also where nothing hands them in. */
export async function inTimeOf<T>(world: TimedWorld, play: () => Promise<T>): Promise<T> {
	const { clock, random } = world;
	let names = 0;
	const name = () => `00000000-0000-4000-8000-${String(++names).padStart(12, '0')}` as const;
	active = world;
	const spies = [
		jest.spyOn(performance, 'now').mockImplementation(() => clock.time),
		jest.spyOn(Date, 'now').mockImplementation(() => clock.timeOfDay),
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => clock.timeout(ms)),
		jest.spyOn(Math, 'random').mockImplementation(random),
		jest.spyOn(crypto, 'randomUUID').mockImplementation(name),
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
	if (clock === undefined) throw new Error('Nothing simulates time.');
	await clock.rest(ms, signal);
	signal?.throwIfAborted();
}

jest.mock<typeof Workflow>('n8n-workflow', () => {
	const { loadOnce } = globalThis as { loadOnce?: (name: string) => typeof Workflow };
	const real = loadOnce?.('n8n-workflow') ?? jest.requireActual<typeof Workflow>('n8n-workflow');
	return Object.create(real, { sleep: { value: sleep } }) as typeof Workflow;
});

// Retries take their real time here.
jest.unmock('../../../../nodes/ImageGeneration/buy/retries');

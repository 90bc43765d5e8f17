import { getEventListeners } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';

import { wait } from '../../nodes/ImageGeneration/service/wait';

// n8n-workflow 1.120, which comes with n8n 1.123.81, has a sleep without a signal.
jest.mock('n8n-workflow', () => ({
	sleep: async (ms: number) => await after(ms, undefined, { ref: false }),
}));

describe('a wait on an n8n whose sleep takes no signal', () => {
	it('ends at once with the reason when it is stopped and leaves no listener behind', async () => {
		const own = new AbortController();
		jest.spyOn(AbortSignal, 'any').mockReturnValue(own.signal);
		const ended = wait(3_600_000, undefined).catch((reason: unknown) => reason);
		own.abort(new Error('Stopped'));

		expect(await ended).toEqual(new Error('Stopped'));
		expect(getEventListeners(own.signal, 'abort')).toEqual([]);
	});
});

import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';

// n8n 1.123.81 has this `sleep`, which knows no signal.
jest.mock('n8n-workflow', (): object => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		await new Promise((resolve) => setTimeout(resolve, ms).unref());
	},
}));

it('a process stops waiting at once when the run is stopped, also in n8n 1', async () => {
	const stop = new AbortController();
	const waiting = new N8nProcess().wait(60_000, stop.signal);
	stop.abort();

	await expect(waiting).resolves.toBeUndefined();
});

import { Callers } from '../../nodes/ImageGeneration/run/callers';
import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';

it('a sub-workflow whose caller n8n knows nothing of goes on, however often it asks', async () => {
	let now = 0;
	const process = Object.assign(new N8nProcess(), { now: () => now });
	const callers = new Callers(process, async () => undefined, '7');
	for (let time = 0; time < 3; time++) {
		await callers.check();
		now += 10_000;
	}

	expect(callers.signal.aborted).toBe(false);
});

/** Has the node plan items without buying any, and prints how long it took, as JSON in the last line. */
import { readFileSync } from 'node:fs';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Measurement, PlanningJob } from '../job.mjs';
import { apiKey } from './contenders/contender.mjs';
import { flowOfNode } from './contenders/flowOfNode.mjs';
import { itemEach } from './contenders/inEngine.mjs';
import { run, startExpressions } from './engine.mjs';
import { Expression } from './hosted.mjs';
import { openStorage } from './storage.mjs';

// Nothing is called: the item that can't be sent ends the run before.
const credential = { baseUrl: 'http://127.0.0.1:9', apiKey };

async function measure(job: PlanningJob): Promise<Measurement> {
	await openStorage(job.storage);
	await startExpressions();
	const flow = flowOfNode(job.package, {});
	const itemsOf = (count: number): INodeExecutionData[] => [
		...itemEach(count - 1, job.images),
		{ json: {} },
	];
	await plan(itemsOf(1000));
	const items = itemsOf(job.items);

	const cpu = process.cpuUsage();
	const start = performance.now();
	await plan(items);
	const wall = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	return { wall, cpu: (user + system) / 1000, memory: 0, refused: 0 };

	/** @throws unless the last item is what stopped the run: who plans less is not faster. */
	async function plan(planned: INodeExecutionData[]): Promise<void> {
		const { error } = (await run(flow, planned, credential)).resultData;
		const stoppedBy = error?.context['itemIndex'];
		if (stoppedBy === planned.length - 1) return;
		throw new Error(`Wanted the last item to stop the run, got ${error?.message ?? 'no error'}`);
	}
}

try {
	const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as PlanningJob;
	console.log(JSON.stringify(await measure(job)));
} finally {
	await Expression.disposeExpressionEngine();
}

import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { cache } from '../../scripts/tools/checkout.mjs';
import type { ContenderName } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { contenderNames } from '../names.mjs';
import { startService } from '../startService.mjs';
import { timeByOwner } from '../timeByOwner.mjs';

const ITEMS = 300;
const CONTENDERS: ContenderName[] = ['node', 'httpRequestLoop', 'bareNode', 'floor'];

/** Profiles the main thread in (b): a table of milliseconds per item for each package. */
export async function profile(lab: Lab): Promise<{ head: string[]; rows: string[][] }> {
	const service = await startService(0);
	const images = await lab.images(100_000, ITEMS);
	const times: Array<ReturnType<typeof timeByOwner>> = [];
	for (const contender of CONTENDERS) {
		const file = join(cache, 'bench', `${contender}.cpuprofile`);
		await lab.measure({
			contender,
			service: service.url,
			images,
			items: ITEMS,
			executions: 1,
			concurrency: 5,
			warmUp: { images, items: ITEMS },
			memory: 'none',
			profile: file,
		});
		times.push(timeByOwner(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile));
	}
	await service.stop();

	const owners = [...new Set(times.flatMap((time) => [...time.keys()]))];
	const cell = (ms = 0) => (ms / ITEMS).toFixed(2);
	const total = (owner: string) => times.reduce((sum, time) => sum + (time.get(owner) ?? 0), 0);
	return {
		head: ['Main thread, ms per item', ...CONTENDERS.map((name) => contenderNames[name])],
		rows: owners
			.sort((a, b) => total(b) - total(a))
			.filter((owner) => total(owner) / ITEMS >= 0.02)
			.map((owner) => [owner, ...times.map((time) => cell(time.get(owner)))]),
	};
}

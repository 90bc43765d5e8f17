import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { cache } from '../../scripts/tools/checkout.mjs';
import { contenderNames, type ContenderName } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { table } from '../part.mjs';
import { startService } from '../startService.mjs';
import { timeByOwner } from '../timeByOwner.mjs';

const ITEMS = 300;
/** Less is not worth a row, in milliseconds per item. */
const LEAST = 0.1;
const CONTENDERS: ContenderName[] = ['node', 'httpRequestLoop', 'bareNode'];

/** Profiles the main thread in (b). @returns milliseconds per item for each package, as Markdown */
export async function profile(lab: Lab): Promise<string> {
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
			concurrency: 5,
			profile: file,
		});
		times.push(timeByOwner(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile));
	}
	await service.stop();

	const owners = [...new Set(times.flatMap((time) => [...time.keys()]))];
	const cell = (ms = 0) => (ms / ITEMS).toFixed(2);
	const total = (owner: string) => times.reduce((sum, time) => sum + (time.get(owner) ?? 0), 0);
	const head = ['Main thread, ms per item', ...CONTENDERS.map((name) => contenderNames[name])];
	const rows = owners
		.sort((a, b) => total(b) - total(a))
		.filter((owner) => total(owner) / ITEMS >= LEAST)
		.map((owner) => [owner, ...times.map((time) => cell(time.get(owner)))]);
	return `## Profile of (b), 5 at once\n\n${table(head, rows)}`;
}

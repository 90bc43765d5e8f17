import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Made } from '../../sandbox/service/files';
import type { ToolDefinition } from '../../sandbox/tools/tool';

/** What lives as long as the process, while jest makes everything anew for each file; see environment.js. */
interface Outside {
	load: (name: string) => unknown;
	pictures: Map<string, Made>;
	/** The file of n8n's log. */
	log: string;
}

/** What takes jest seconds to load; Node itself loads it once, for all mutants. */
const PACKAGES = [
	'n8n-core',
	'n8n-workflow',
	'@n8n/di',
	'reflect-metadata',
	'fastify',
	'@fastify/multipart',
	'sharp',
	'fast-check',
];

const { outside } = globalThis as unknown as { outside?: Outside };

if (outside !== undefined) use(outside);

function use({ load, pictures, log }: Outside): void {
	for (const name of PACKAGES) jest.doMock(name, () => load(name));
	const before = readFileSync(log, 'utf8').length;
	jest.doMock('../support/loudLog', () => ({
		logSoFar: () => readFileSync(log, 'utf8').slice(before),
		removeLog: () => {},
	}));
	jest.doMock('../../sandbox/tools', () => {
		const { tools } = jest.requireActual<{ tools: ToolDefinition[] }>('../../sandbox/tools');
		return { tools: tools.map((tool) => ({ ...tool, make: remembered(tool, pictures) })) };
	});
}

/** A tool draws the same picture for the same request, so once is enough. */
function remembered(tool: ToolDefinition, pictures: Outside['pictures']): ToolDefinition['make'] {
	return async (job) => {
		const hash = createHash('sha256').update(JSON.stringify([tool.id, job.settings]));
		if (job.image !== undefined) hash.update(readFileSync(job.image.file));
		const key = hash.digest('hex');
		const made = pictures.get(key) ?? (await tool.make(job));
		pictures.set(key, made);
		return made;
	};
}

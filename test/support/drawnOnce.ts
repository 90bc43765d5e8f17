import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Made } from '../../sandbox/service/jobs/files';
import type { ToolDefinition } from '../../sandbox/tools/tool';

type Pictures = Map<string, Made>;

// Images drawn for earlier test files of this process, provided by EngineEnvironment.js.
const { pictures } = globalThis as { pictures?: Pictures };

if (pictures !== undefined) {
	jest.doMock('../../sandbox/tools', () => {
		const { tools } = jest.requireActual<{ tools: ToolDefinition[] }>('../../sandbox/tools');
		return { tools: tools.map((tool) => ({ ...tool, make: remembered(tool, pictures) })) };
	});
}

/** A tool draws the same image for equal requests, so one drawing is enough. */
function remembered(tool: ToolDefinition, made: Pictures): ToolDefinition['make'] {
	return async (job) => {
		const hash = createHash('sha256').update(JSON.stringify([tool.id, job.settings]));
		if (job.image !== undefined) hash.update(readFileSync(job.image.file));
		const key = hash.digest('hex');
		const picture = made.get(key) ?? (await tool.make(job));
		made.set(key, picture);
		return picture;
	};
}

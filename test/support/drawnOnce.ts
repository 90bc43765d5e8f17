import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import type { ToolDefinition } from '../../sandbox/tools/tool';

type Pictures = Map<string, { bytes: Buffer; note: string | undefined }>;

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
	return async (job, file) => {
		const hash = createHash('sha256').update(JSON.stringify([tool.id, job.settings]));
		if (job.image !== undefined) hash.update(readFileSync(job.image.file));
		const key = hash.digest('hex');
		const known = made.get(key);
		const note = known ? known.note : await tool.make(job, file);
		if (known) writeFileSync(file, known.bytes);
		else made.set(key, { bytes: readFileSync(file), note });
		return note;
	};
}

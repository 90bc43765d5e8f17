import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import type * as workbench from '../../sandbox/service/jobs/workbench';

type Pictures = Map<string, { bytes: Buffer; note: string | undefined }>;
type WorkbenchModule = typeof workbench;

const WORKBENCH = '../../sandbox/service/jobs/workbench';

// Images drawn for earlier test files of this process, provided by EngineEnvironment.js.
const { pictures } = globalThis as { pictures?: Pictures };

if (pictures !== undefined) {
	jest.doMock(WORKBENCH, () => {
		const actual = jest.requireActual<WorkbenchModule>(WORKBENCH);
		return { ...actual, Workbench: remembering(actual.Workbench, pictures) };
	});
}

/**
 * A tool draws the same image for equal requests, so one drawing is enough. Tests need to tell the
 * images of different prompts apart, but not to look at them: a prompt is only a comment in a JPEG.
 */
function remembering(Workbench: WorkbenchModule['Workbench'], made: Pictures) {
	return class extends Workbench {
		override async make(...[tool, job, file, signal]: Parameters<workbench.Workbench['make']>) {
			const { text, negative_prompt, ...size } = job.settings;
			const isPrompt = tool.id === 'text2img';
			const key = createHash('sha256').update(
				JSON.stringify([tool.id, isPrompt ? size : job.settings]),
			);
			if (job.image !== undefined) key.update(readFileSync(job.image.file));
			const id = key.digest('hex');
			const known = made.get(id) ?? {
				note: await super.make(tool, job, file, signal),
				bytes: readFileSync(file),
			};
			made.set(id, known);
			const bytes = isPrompt ? withComment(known.bytes, [text, negative_prompt]) : known.bytes;
			writeFileSync(file, bytes);
			return known.note;
		}
	};
}

/** A JPEG with the hash of a value in a comment after its first marker. */
function withComment(jpeg: Buffer, value: unknown): Buffer {
	const hash = createHash('sha256').update(JSON.stringify(value)).digest();
	const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 2 + hash.length]), hash]);
	return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

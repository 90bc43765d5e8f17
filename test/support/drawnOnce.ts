import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import type * as drawing from '../../sandbox/service/makePicture';

type Pictures = Map<string, { bytes: Buffer; note: string | undefined }>;
type MakePicture = typeof drawing.makePicture;

const DRAWING = '../../sandbox/service/makePicture';

// Images drawn for earlier test files of this process, provided by EngineEnvironment.js.
const { pictures } = globalThis as { pictures?: Pictures };

if (pictures !== undefined) {
	jest.doMock(DRAWING, () => {
		const { makePicture } = jest.requireActual<typeof drawing>(DRAWING);
		return { makePicture: remembering(makePicture, pictures) };
	});
}

/**
 * A tool draws the same image for equal requests, so one drawing is enough. Tests need to tell the
 * images of different prompts apart, but not to look at them: a prompt is only a comment in a JPEG.
 */
function remembering(makePicture: MakePicture, made: Pictures): MakePicture {
	return async (tool, job, file) => {
		const { text, negative_prompt, ...size } = job.settings;
		const isPrompt = tool.id === 'text2img';
		const key = createHash('sha256').update(
			JSON.stringify([tool.id, isPrompt ? size : job.settings]),
		);
		if (job.image !== undefined) key.update(readFileSync(job.image.file));
		const id = key.digest('hex');
		const known = made.get(id) ?? {
			note: await makePicture(tool, job, file),
			bytes: readFileSync(file),
		};
		made.set(id, known);
		const bytes = isPrompt ? withComment(known.bytes, [text, negative_prompt]) : known.bytes;
		writeFileSync(file, bytes);
		return known.note;
	};
}

/** A JPEG with the hash of a value in a comment after its first marker. */
function withComment(jpeg: Buffer, value: unknown): Buffer {
	const hash = createHash('sha256').update(JSON.stringify(value)).digest();
	const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 2 + hash.length]), hash]);
	return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

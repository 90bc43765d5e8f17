/** Creates images in n8n's storage and prints their binary data as JSON in the last line. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';
import type { StoreJob } from '../job.mjs';
import { openStorage } from './storage.mjs';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const END = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');
const CHUNK = 64 * 1024;

/** Bytes that start and end like a PNG, with one part between. The sandbox returns them unchanged. */
function* image(bytes: number): Generator<Buffer> {
	// The part's length does not count its own header and checksum.
	const length = bytes - SIGNATURE.length - 12 - END.length;
	for (let done = 0; done < bytes; done += CHUNK) {
		const chunk = Buffer.alloc(Math.min(CHUNK, bytes - done), 'noise');
		if (done === 0) {
			SIGNATURE.copy(chunk);
			chunk.writeUInt32BE(length, SIGNATURE.length);
		}
		if (done + chunk.length === bytes) END.copy(chunk, chunk.length - END.length);
		yield chunk;
	}
}

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StoreJob;
const storage = await openStorage(job.storage);
const location = { type: 'execution', workflowId: 'bench', executionId: 'inputs' } as const;
const binaries: IBinaryData[] = [];
for (let index = 0; index < job.count; index++) {
	const stream = Readable.from(image(job.bytes), { objectMode: false });
	const binary = { data: '', fileName: `image-${index}.png`, mimeType: 'image/png' };
	binaries.push(await storage.store(location, stream, binary));
}
console.log(JSON.stringify(binaries));

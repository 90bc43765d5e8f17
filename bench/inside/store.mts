/** Creates images and prints their binary data as JSON in the last line. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { IBinaryData } from 'n8n-workflow';
import type { StoreJob } from '../job.mjs';
import { pngLike } from './pngLike.mjs';
import { openStorage } from './storage.mjs';

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StoreJob;
const storage = await openStorage(job.storage);
const location = { type: 'execution', workflowId: 'bench', executionId: 'inputs' } as const;
const binaries: IBinaryData[] = [];
for (let index = 0; index < job.count; index++) {
	const stream = Readable.from(pngLike(job.bytes, `image ${index} `), { objectMode: false });
	const binary = { data: '', fileName: `image-${index}.png`, mimeType: 'image/png' };
	if (job.isInItem) binaries.push({ ...binary, data: (await buffer(stream)).toString('base64') });
	else binaries.push(await storage.store(location, stream, binary));
}
console.log(JSON.stringify(binaries));

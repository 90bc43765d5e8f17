import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import FormData from 'form-data';
import { hostRequire } from '../hosted.mjs';
import { openStorage } from '../storage.mjs';
import { apiKey, type StartContender } from './contender.mjs';

interface Axios {
	post(url: string, body: unknown, options: object): Promise<{ data: { output_url: string } }>;
	get(url: string, options: object): Promise<{ data: Readable }>;
}

/**
 * The least that these requests can take: a script with n8n's HTTP client and its settings (2.40.3:
 * one connection per request), which reads and writes files.
 */
export const floor: StartContender = async ({ storage, service, concurrency }) => {
	const axios = createRequire(hostRequire.resolve('@n8n/backend-network'))('axios') as Axios;
	const given = await openStorage(storage);
	const folder = join(storage, 'floor');
	await mkdir(folder, { recursive: true });

	async function work(from: string, bytes: number, to: string): Promise<void> {
		const form = new FormData();
		form.append('image', createReadStream(from), {
			filename: 'image.png',
			contentType: 'image/png',
			knownLength: bytes,
		});
		const { data: job } = await axios.post(`${service}/api/background-remover`, form, {
			headers: { ...form.getHeaders(), 'api-key': apiKey },
			httpAgent: new Agent(),
			maxRedirects: 0,
			maxBodyLength: Infinity,
		});
		const { data } = await axios.get(job.output_url, {
			httpAgent: new Agent(),
			maxRedirects: 0,
			responseType: 'stream',
		});
		await pipeline(data, createWriteStream(to));
	}

	return {
		prepare(count, { bytes, binaries }) {
			const files = binaries.map(({ id = '' }) => given.getPath(id));
			const results = Array.from({ length: count }, (_, index) => join(folder, String(index)));
			return {
				async run() {
					const queue = results.entries();
					const worker = async () => {
						for (const [index, to] of queue) {
							await work(files[index % files.length] ?? '', bytes, to);
						}
					};
					await Promise.all(Array.from({ length: concurrency }, worker));
				},
				sizes: async () => await Promise.all(results.map(async (file) => (await stat(file)).size)),
			};
		},
	};
};

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import sharp, { type Sharp } from 'sharp';

/**
 * Measures the sandbox's memory under load. Linux only:
 * `node --import ./scripts/tsx.mjs bench/sandbox.mts [number of uploads]`.
 */
const uploads = Number(process.argv[2] ?? 100);

interface RunningSandbox {
	url: string;
	/** Peak memory in MiB. */
	peak(): number;
	/** Current memory in MiB. */
	now(): number;
	stop(): Promise<void>;
}

async function start(...options: string[]): Promise<RunningSandbox> {
	const command = ['--import', './scripts/tsx.mjs', 'sandbox/cli.ts', '--port', '0', ...options];
	const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
	for await (const line of createInterface(child.stdout)) {
		const url = /sandbox: (http\S+)/.exec(line)?.[1];
		if (url === undefined) continue;
		const memory = (name: string) => {
			const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
			return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
		};
		return {
			url,
			peak: () => memory('VmHWM'),
			now: () => memory('VmRSS'),
			stop: async () => {
				child.kill();
				await once(child, 'exit');
			},
		};
	}
	throw new Error('The sandbox did not start.');
}

/** Uploads an image. @returns the status of the response */
async function upload(url: string, tool: string, image: Buffer): Promise<number> {
	const outgoing = request(`${url}/api/${tool}`, {
		method: 'POST',
		agent: false,
		headers: { 'api-key': 'test-key', 'content-type': 'multipart/form-data; boundary=b' },
	});
	const part = (name: string, more = '') =>
		`--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
	outgoing.write(`${part('text')}blur it\r\n${part('image', '; filename="a.png"')}`);
	const responded = once(outgoing, 'response');
	outgoing.end(Buffer.concat([image, Buffer.from('\r\n--b--\r\n')]));
	const [response] = (await responded) as [NodeJS.ReadableStream & { statusCode: number }];
	response.resume();
	await once(response, 'end');
	return response.statusCode;
}

function noise(width: number, height: number): Sharp {
	const data = randomBytes(width * height * 3);
	return sharp(data, { raw: { width, height, channels: 3 } });
}

/** A photo like a camera's: 24 megapixels, about 10 MiB. */
async function photo(): Promise<Buffer> {
	const grain = await noise(1500, 1000).png().toBuffer();
	return await sharp(grain).resize(6000, 4000).jpeg({ quality: 93 }).toBuffer();
}

const toMebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const images = {
	'PNG of 3.5 megapixels': await noise(1870, 1870).png().toBuffer(),
	'JPEG of 24 megapixels': await photo(),
};
for (const [name, image] of Object.entries(images)) {
	for (const tool of ['image-editor', 'background-remover']) {
		const sandbox = await start();
		const began = performance.now();
		const before = sandbox.now();
		const statuses = await Promise.all(
			Array.from({ length: uploads }, async () => await upload(sandbox.url, tool, image)),
		);
		const succeeded = statuses.filter((status) => status === 200).length;
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		console.log(
			`${uploads} × ${name} (${toMebibytes(image.length)}) at once to ${tool}: ${succeeded} succeeded ` +
				`in ${seconds} s; memory ${before} MiB before, ${sandbox.peak()} MiB peak`,
		);
		await sandbox.stop();
	}
}

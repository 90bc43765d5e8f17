import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp, { type Sharp } from 'sharp';

/**
 * What the sandbox takes under load, on Linux:
 * `node --import ./scripts/tsx.mjs bench/sandbox.mts [number of uploads]`.
 */
const uploads = Number(process.argv[2] ?? 100);

interface Program {
	url: string;
	/** The most memory it ever held, in MiB. */
	peak(): number;
	/** The memory it holds now, in MiB. */
	now(): number;
	stop(): Promise<void>;
}

async function start(...options: string[]): Promise<Program> {
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

/** An upload; `pace` sends it byte by byte. @returns the status of the answer */
async function upload(
	url: string,
	tool: string,
	image: Buffer,
	pace?: AbortSignal,
): Promise<number> {
	const outgoing = request(`${url}/api/${tool}`, {
		method: 'POST',
		agent: false,
		headers: { 'api-key': 'test-key', 'content-type': 'multipart/form-data; boundary=b' },
	});
	const part = (name: string, more = '') =>
		`--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
	outgoing.write(`${part('text')}blur it\r\n${part('image', '; filename="a.png"')}`);
	const answer = once(outgoing, 'response');
	if (pace) {
		answer.catch(() => undefined);
		for (const byte of image) {
			if (pace.aborted) break;
			outgoing.write(Buffer.from([byte]));
			await sleep(1000, undefined, { signal: pace }).catch(() => undefined);
		}
		outgoing.destroy();
		return 0;
	}
	outgoing.end(Buffer.concat([image, Buffer.from('\r\n--b--\r\n')]));
	const [response] = (await answer) as [NodeJS.ReadableStream & { statusCode: number }];
	response.resume();
	await once(response, 'end');
	return response.statusCode;
}

function noise(width: number, height: number): Sharp {
	const data = randomBytes(width * height * 3);
	return sharp(data, { raw: { width, height, channels: 3 } });
}

/** As cameras make them: 24 megapixels, about 10 MiB. */
async function photo(): Promise<Buffer> {
	const grain = await noise(1500, 1000).png().toBuffer();
	return await sharp(grain).resize(6000, 4000).jpeg({ quality: 93 }).toBuffer();
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
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
		const good = statuses.filter((status) => status === 200).length;
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		console.log(
			`${uploads} × ${name} (${megabytes(image.length)}) at once to ${tool}: ${good} done in ` +
				`${seconds} s, memory ${before} MiB before, ${sandbox.peak()} MiB at most`,
		);
		await sandbox.stop();
	}
}

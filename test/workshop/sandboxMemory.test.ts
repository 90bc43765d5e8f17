import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { clients } from '../sandbox/clients';
import { until } from '../support/until';

const MIB = 2 ** 20;

/** Starts `npm run sandbox` without the settings of malloc that jest.config.mjs makes. */
async function startProgram() {
	const others = Object.entries(process.env).filter(([name]) => !name.startsWith('MALLOC_'));
	const child = spawn(process.execPath, ['sandbox/main.mjs', '--port', '0', '--quiet'], {
		cwd: join(__dirname, '../..'),
		env: Object.fromEntries(others),
	});
	let said = '';
	child.stdout.on('data', (chunk) => {
		said += String(chunk);
	});
	await until(() => said.includes('Press Ctrl+C'));
	return {
		url: /http:\/\/[\d.:]+/.exec(said)?.[0] ?? '',
		memory: () => memoryOf(child.pid ?? 0) / MIB,
		stop: () => child.kill(),
	};
}

/** What a process uses, in bytes. Only Linux tells; elsewhere 0. */
function memoryOf(id: number): number {
	const file = `/proc/${id}/smaps_rollup`;
	if (!existsSync(file)) return 0;
	const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0;
	return Number(kilobytes) * 1024;
}

/** The most that is used while something is done, in MiB. */
async function peakDuring(memory: () => number, task: Promise<unknown>): Promise<number> {
	let peak = 0;
	const timer = setInterval(() => {
		peak = Math.max(peak, memory());
	}, 20);
	await task.finally(() => clearInterval(timer));
	return peak;
}

/** A noisy picture, which hardly compresses. */
function noise(width: number, height: number) {
	return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}

const draw = {
	png: async () => await noise(2160, 1618).png().toBuffer(),
	jpeg: async () => await noise(6000, 4000).jpeg().toBuffer(),
	largest: async () => await noise(10_000, 5000).jpeg().toBuffer(),
};
const edit = { tool: 'image-editor', fields: { text: 'blur it' } };
const cutOut = { tool: 'background-remover', fields: {} };

it.each([
	['edit 10 PNG files of 10 MiB that arrive at once', edit, 10, draw.png],
	['cut out 2 JPEG files of 24 megapixels that arrive at once', cutOut, 2, draw.jpeg],
	['edit one JPEG file of 50 megapixels', edit, 1, draw.largest],
] as const)(
	'the sandbox needs less than 350 MiB to %s',
	async (_what, call, count, drawFile) => {
		const bytes = await drawFile();
		const { url, memory, stop } = await startProgram();
		try {
			const upload = async () =>
				await clients.undici({ ...call, url, files: { image: { bytes } } });
			const uploads = Promise.all(Array.from({ length: count }, upload));
			const peak = await peakDuring(memory, uploads);
			const answers = await uploads;
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(count);
			expect(peak).toBeLessThan(350);
		} finally {
			stop();
		}
	},
	240_000,
);

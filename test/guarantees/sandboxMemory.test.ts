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
	const child = spawn(
		process.execPath,
		['--import', './scripts/tsx.mjs', 'sandbox/cli.ts', '--port', '0', '--quiet'],
		{ cwd: join(__dirname, '../..'), env: Object.fromEntries(others) },
	);
	let said = '';
	child.stdout.on('data', (chunk) => (said += String(chunk)));
	await until(() => said.includes('Press Ctrl+C'));
	const url = /http:\/\/[\d.:]+/.exec(said)?.[0] ?? '';
	// Only Linux tells.
	const status = `/proc/${child.pid}/status`;
	const peak = () => {
		const [, kibibytes = 0] =
			/VmHWM:\s+(\d+) kB/.exec(existsSync(status) ? readFileSync(status, 'utf8') : '') ?? [];
		return (Number(kibibytes) * 1024) / MIB;
	};
	return { url, peak, stop: () => child.kill() };
}

/** A noisy picture, which hardly compresses. */
function noise(width: number, height: number) {
	return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}

const draw = {
	png: async () => await noise(2160, 1618).png().toBuffer(),
	jpeg: async () => await noise(6000, 4000).jpeg().toBuffer(),
};
const edit = { tool: 'image-editor', fields: { text: 'blur it' } };
const cutOut = { tool: 'background-remover', fields: {} };

it.each([
	['edit 40 PNG files of 10 MiB', edit, 40, draw.png],
	['cut out 4 JPEG files of 24 megapixels', cutOut, 4, draw.jpeg],
] as const)(
	'the sandbox needs less than 300 MiB to %s that arrive at once',
	async (_what, call, count, drawFile) => {
		const bytes = await drawFile();
		const { url, peak, stop } = await startProgram();
		try {
			const upload = async () =>
				await clients.undici({ ...call, url, files: { image: { bytes } } });
			const answers = await Promise.all(Array.from({ length: count }, upload));
			expect(bytes.length).toBeGreaterThan(10 * MIB);
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(count);
			expect(peak()).toBeLessThan(300);
		} finally {
			stop();
		}
	},
	240_000,
);

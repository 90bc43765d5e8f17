/**
 * A picture process (`service/jobs/pictureProcess.ts`): does one piece of work after another. It is a
 * process of its own because nothing else ends work with a picture: libvips and librsvg run in
 * threads that neither a timeout nor `process.exit` interrupts (sharp 0.35.5, Node 20).
 */
import sharp from 'sharp';
import { reasonOf } from '../service/http/reasonOf';
import { Refusal } from '../service/http/refusal';
import type { Answer, Request } from '../service/jobs/pictureProcess';
import { work, type Work } from './work';

/** A HEIC photo of 48 million pixels needs up to 800 MiB (measured with libheif-js 1.23.2), others a third. */
const maxMemoryBytes = 1.25 * 2 ** 30;
const memoryCheckMs = 100;

// Each picture is processed once, so a cache would only take memory.
sharp.cache(false);

// Ctrl+C reaches every process of a terminal. This one ends with the sandbox.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// Not `exit`, which waits for libvips.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

setInterval(() => {
	if (process.memoryUsage.rss() > maxMemoryBytes) answer({ kind: 'too large' });
}, memoryCheckMs);

process.on('message', (request: Request) => {
	void run(request).then(answer);
});
answer({ kind: 'ready' });

async function run<Name extends keyof Work>({ name, input }: Request<Name>): Promise<Answer> {
	const perform = work[name] as (...input: Parameters<Work[Name]>) => Promise<unknown>;
	try {
		return { kind: 'done', result: await perform(...input) };
	} catch (error) {
		if (!(error instanceof Refusal)) return { kind: 'defect', message: reasonOf(error) };
		return {
			kind: 'refused',
			status: error.status,
			message: error.message,
		};
	} finally {
		collectGarbage();
	}
}

/** Pixels are outside V8's heap, so V8 lets several unused pictures pile up (Node 20). */
function collectGarbage(): void {
	globalThis.gc?.();
}

function answer(message: Answer): void {
	process.send?.(message);
}

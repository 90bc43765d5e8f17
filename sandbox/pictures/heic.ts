import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import type { Upload } from '../service/http/form';
import { timeout, workSeconds } from './decode';

/**
 * Turns a HEIC photo, as phones take them, into a TIFF beside it, upright as its container says.
 * sharp has no decoder for them (0.35.5), because their codec, HEVC, is patented. Any other image
 * stays as it is.
 */
export async function readHeic(upload: Upload): Promise<Upload> {
	const { compression } = await sharp(upload.file, { limitInputPixels: false }).metadata();
	if (compression !== 'hevc') return upload;
	const file = `${upload.file}.tif`;
	await convert(upload.file, file);
	return { file, fileName: upload.fileName };
}

/** A thread of its own can be ended, and takes the decoder's memory with it. */
async function convert(from: string, to: string): Promise<void> {
	const worker = new Worker(join(__dirname, 'heicWorker.mjs'), { workerData: { from, to } });
	const signal = AbortSignal.timeout(workSeconds * 1000);
	try {
		await once(worker, 'message', { signal });
	} catch (error) {
		throw new Error(signal.aborted ? timeout : 'HEIC cannot be decoded.', { cause: error });
	} finally {
		await worker.terminate();
	}
}

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pickFromHeader } from '../faults/queue';
import { Exchange } from './exchange';
import type { Output } from './files';
import { Refusal } from './refusal';
import type { Service } from './service';

/**
 * Answers `GET /job-view-file/<path>/output.<ext>` (specification 2.1). Free, and needs no key.
 *
 * @throws Refusal 404 if no job made this file
 */
export async function answerDownload(
	{ faults, files, requests }: Service,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const path = request.url.split('?')[0] ?? '';
	const [, , jobId = ''] = path.split('/');
	const output = files.find(jobId);
	const picked = pickFromHeader(request, 'download') ?? faults.pick('download', [path]);
	if (picked) {
		const exchange = new Exchange(request, reply, requests);
		const struck = output && { output: { ...output, bytes: await readFile(output.file) } };
		if (await exchange.strike(picked, struck)) {
			reply.hijack();
			return;
		}
	}
	if (!output) throw new Refusal(404, `There is no file at ${path}.`);
	await sendOutput(reply, output);
}

export async function sendOutput(reply: FastifyReply, { file, mimeType }: Output): Promise<void> {
	const { size } = await stat(file);
	await reply.type(mimeType).header('content-length', size).send(createReadStream(file));
}

import { basename, dirname } from 'node:path';
import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pickFromHeader } from '../../faults/header';
import { Exchange } from '../http/exchange';
import { quote, Refusal } from '../http/refusal';
import type { Parts } from '../parts';
import type { StoredOutput } from './files';

/**
 * Answers `GET /job-view-file/<path>/output.<ext>` (specification 2.1). Free, and needs no key. The
 * faults are those of the key that paid for the file.
 *
 * @throws Refusal 404 if no job made this file, 416 for a range outside of it
 */
export async function answerDownload(
	{ files, subscribers, journal, recorder }: Parts,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const path = request.url.split('?')[0] ?? '';
	const output = files.find(path);
	const exchange = new Exchange(request, reply, recorder);
	const { faults } = subscribers.find(output?.key) ?? subscribers.first;
	const picked = pickFromHeader(request, 'download') ?? faults.pick('download', [path]);
	if (picked) journal.downloaded(path, picked.rule.fault);
	if (picked && (await exchange.strike(picked, output ? { output } : {}))) {
		reply.hijack();
		return;
	}
	if (!output) throw new Refusal(404, `There is no file at ${path}.`);
	await sendOutput(request, reply, output);
	if (request.method === 'GET') journal.downloaded(path);
}

/** Sends a file, or the part of it that a Range header asks for. */
export async function sendOutput(
	request: FastifyRequest,
	reply: FastifyReply,
	{ file, mimeType, size }: StoredOutput,
): Promise<void> {
	const answer = await send(request.raw, `/${basename(file)}`, {
		root: dirname(file),
		cacheControl: false,
		contentType: false,
	});
	const { statusCode, headers, stream } = answer;
	if (statusCode === 416) {
		throw new Refusal(
			416,
			`Range is ${quote(request.headers.range ?? '')}; the file has ${size} bytes.`,
			{
				'content-range': `bytes */${size}`,
			},
		);
	}
	if (answer.type === 'error') throw new Refusal(statusCode, answer.metadata.error.message);
	await reply.status(statusCode).headers(headers).type(mimeType).send(stream);
}

import { createReadStream } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Exchange, type Parts } from './parts';
import { Refusal } from './refusal';

/** `GET /job-view-file/<path>/output.<ext>` (specification 2.1): needs no key, costs nothing. */
export class Downloads {
	constructor(private readonly parts: Parts) {}

	/** @throws Refusal 404 when no job made this file. */
	async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const { files, faults, recorder } = this.parts;
		const path = request.url.split('?')[0] ?? '';
		const output = files.find(path);
		const exchange = new Exchange(request, reply, recorder);
		const picked = faults.pick('download', [path]);
		if (picked && (await exchange.strike(picked, output ? { output } : {}))) {
			exchange.end();
			return;
		}
		if (!output) throw new Refusal(404, `There is no file at ${path}.`);
		await reply
			.header('content-length', output.size)
			.type(output.mimeType)
			.send(createReadStream(output.file));
	}
}

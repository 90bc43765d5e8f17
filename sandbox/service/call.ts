import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { qualityOf } from '../catalog';
import { pause, type JobResult } from '../faults/fault';
import { pickFromHeader, type Picked } from '../faults/queue';
import { typeOf } from '../pictures/typeOf';
import { tools } from '../tools';
import { settle } from '../tools/parameters';
import type { ToolDefinition } from '../tools/tool';
import type { RecordedRequest } from '../types';
import { Exchange } from './exchange';
import { fetchImage } from './fetchImage';
import { makePicture } from './makePicture';
import { readForm, type Form } from './readForm';
import { Refusal } from './refusal';
import type { Service } from './service';

/**
 * Answers `POST /api/<model>` (specification 4).
 *
 * @throws Refusal if a check fails; nothing is charged
 */
export async function answerCall(
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const { files, requests } = service;
	const entry = requests.find(request);
	if (!entry) throw new Error('Calls are recorded before they are answered.');
	const folder = files.makeFolder();
	const exchange = new Exchange(request, reply, requests);
	try {
		const result = await new Call(service, exchange, entry, folder).answer();
		if (result) await reply.status(200).send(result);
		else reply.hijack();
	} finally {
		await files.remove(folder);
	}
}

/** One request to a tool. */
class Call {
	private readonly tool: ToolDefinition | undefined;

	constructor(
		private readonly service: Service,
		private readonly exchange: Exchange,
		private readonly entry: RecordedRequest,
		/** Holds its files; removed with it. */
		private readonly folder: string,
	) {
		const path = exchange.request.url.split('?')[0];
		this.tool = tools.find(({ id }) => path === `/api/${id}`);
	}

	/** Reads, checks and fulfils the call. @returns nothing if a fault or the client ended it */
	async answer(): Promise<JobResult | undefined> {
		const { exchange } = this;
		const early = this.pickEarly();
		const form = await this.readForm(early);
		if (exchange.isOver) return undefined;
		const fault = early ?? this.pickFault(form);
		const strikesAfter = fault?.fault.moment === 'after';
		if (fault && !strikesAfter && (await exchange.strike(fault))) return undefined;
		const job = await this.sell(form, fault);
		if (job && strikesAfter && (await exchange.strike(fault, { job }))) return undefined;
		return await this.respond(job);
	}

	/** The fault that the request asks for, or an armed one if no look at the body is needed. */
	private pickEarly(): Picked | undefined {
		if (!this.tool) return undefined;
		const own = pickFromHeader(this.exchange.request, this.tool.id);
		return own ?? this.service.faults.pickOnArrival(this.tool.id);
	}

	private pickFault({ fields, image }: Form): Picked | undefined {
		const texts = [fields['text'], fields['image'], image?.name];
		const given = texts.filter((text) => text !== undefined);
		return this.tool && this.service.faults.pick(this.tool.id, given);
	}

	/** Reads the body while a fault on arrival strikes; puts any other back if the client leaves. */
	private async readForm(fault: Picked | undefined): Promise<Form> {
		const { exchange, entry, folder } = this;
		const isOnArrival = fault?.fault.moment === 'arrival';
		// Not awaited, because the body must be read from this tick on.
		if (isOnArrival) void exchange.strike(fault);
		const form = await readForm(exchange.request, entry, folder);
		if (exchange.isOver && !isOnArrival) fault?.release();
		return form;
	}

	/**
	 * Checks path, method, key, subscription, rate limit, parameters and funds, in this order. Then
	 * makes the file and charges. A client that disconnects after the charge has paid.
	 *
	 * @param fault is put back if it waits for a charge and there is none
	 * @returns nothing if the client left before the charge
	 */
	private async sell(form: Form, fault: Picked | undefined): Promise<JobResult | undefined> {
		try {
			return await this.charge(form);
		} catch (error) {
			if (fault?.fault.moment === 'after') fault.release();
			if (this.exchange.isOver) return undefined;
			throw error;
		}
	}

	private async charge(form: Form): Promise<JobResult> {
		const { account, files, limiter, settings } = this.service;
		const tool = this.checkedTool();
		this.checkKey();
		limiter.take();
		if (form.refusal) throw form.refusal;
		const values = settle(tool.parameters, form);
		const price = tool.price ?? qualityOf(values);
		account.checkFunds(price);

		const { signal, base } = this.exchange;
		const { image: address } = values;
		const image = address
			? await fetchImage(address, join(this.folder, 'fetched'), signal)
			: form.image;
		const made = join(this.folder, 'made');
		const { mimeType, extension, note } =
			settings.echoImages && image
				? await echo(image.file, made)
				: { ...tool.output, note: await makePicture(tool, { settings: values, image }, made) };
		signal.throwIfAborted();

		const jobId = randomUUID();
		await files.store(jobId, made, mimeType);
		// The specification's shape (2.1): {base_url}/job-view-file/<path>/output.<ext>.
		const outputUrl = `${base}/job-view-file/${jobId}/outputs/output.${extension}`;
		const { fields } = this.entry;
		this.entry.charge = account.charge(price, {
			jobId,
			tool: tool.id,
			fields,
			outputUrl,
			...(note !== undefined && { note }),
		});
		return { id: jobId, output_url: outputUrl };
	}

	/** @throws Refusal 404 for an unknown path, 405 for any method but POST */
	private checkedTool(): ToolDefinition {
		const { method, url } = this.exchange.request;
		if (!this.tool) {
			const known = tools.map(({ id }) => id).join(', ');
			throw new Refusal(404, `There is no tool at ${url}. Available tools: ${known}.`);
		}
		if (method !== 'POST') {
			throw new Refusal(405, `${method} is not allowed here; use POST.`, { allow: 'POST' });
		}
		return this.tool;
	}

	/** @throws Refusal 401 or 403 */
	private checkKey(): void {
		const key = this.entry.headers['api-key'] ?? '';
		if (key === '') throw new Refusal(401, 'The api-key header is missing.');
		if (key === 'no-subscription') {
			throw new Refusal(403, 'API access requires a paid subscription; this key has none.');
		}
		if (this.service.settings.apiKeys.includes(key)) return;
		throw new Refusal(401, 'The api-key is not valid.');
	}

	/** Waits for the delay of every response. */
	private async respond(result: JobResult | undefined): Promise<JobResult | undefined> {
		const { delayMs } = this.service.settings;
		if (result && delayMs > 0) await pause(this.exchange, delayMs);
		return this.exchange.isOver ? undefined : result;
	}
}

/** Takes the uploaded image as the job's file. */
async function echo(
	file: string,
	made: string,
): Promise<ToolDefinition['output'] & { note?: undefined }> {
	await rename(file, made);
	return await typeOf(made);
}

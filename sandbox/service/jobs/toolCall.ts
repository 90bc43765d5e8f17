import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pause, type JobResult } from '../../faults/fault';
import { pickFromHeader } from '../../faults/header';
import type { Picked, Target } from '../../faults/rules';
import { pixelsOf } from '../../pictures/decode';
import { sniff } from '../../pictures/sniff';
import { tools } from '../../tools';
import { settle } from '../../tools/parameters';
import { priceByVersion } from '../../tools/priceByVersion';
import type { Job, ToolDefinition } from '../../tools/tool';
import type { PriceName, Tool } from '../../types';
import type { Subscriber } from '../account/subscribers';
import type { Call } from '../control/journal';
import { openCall } from '../control/openCall';
import { Exchange } from '../http/exchange';
import { FormReader, type Form, type Upload } from '../http/form';
import { reasonOf } from '../http/reasonOf';
import type { Parts } from '../parts';
import { authenticate, checkTool, keysOf } from './admit';
import { fetchImage } from './fetchImage';
import type { Made } from './files';

/**
 * Answers `POST /api/<model>` (specification 4).
 *
 * @throws Refusal if a check fails; nothing is charged
 */
export async function answerCall(
	parts: Parts,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const { recorder, journal } = parts;
	const exchange = new Exchange(request, reply, recorder);
	const call = openCall(parts, request, reply);
	try {
		const result = await new ToolCall(parts, exchange, call).answer();
		if (result) await reply.status(200).send(result);
		else exchange.end();
	} catch (error) {
		journal.note(call, { refusal: reasonOf(error) });
		throw error;
	}
}

/** One request to a tool. */
class ToolCall {
	private readonly tool: ToolDefinition | undefined;
	/** Whose faults strike: the holder of the key, or of the first one if the key is not valid. */
	private readonly target: Subscriber;

	constructor(
		private readonly parts: Parts,
		private readonly exchange: Exchange,
		private readonly call: Call,
	) {
		const path = exchange.request.url.split('?')[0];
		this.tool = tools.find(({ id }) => path === `/api/${id}`);
		const [key] = keysOf(exchange.request);
		this.target = parts.subscribers.find(key) ?? parts.subscribers.first;
	}

	/** Reads, checks and fulfils the call. @returns nothing if a fault or the client ended it */
	async answer(): Promise<JobResult | undefined> {
		const early = this.tool && this.pickEarly(this.tool.id);
		const form = await this.readForm(early);
		if (!form) return undefined;
		try {
			const picked = early ?? this.pickFault(form);
			if (picked && picked.fault.moment !== 'after' && (await this.strike(picked))) {
				return undefined;
			}
			return await this.fulfil(form, picked?.fault.moment === 'after' ? picked : undefined);
		} finally {
			await form.dispose();
		}
	}

	/** Reads the body while a fault on arrival strikes. @returns nothing if the call is over */
	private async readForm(early: Picked | undefined): Promise<Form | undefined> {
		const { files, journal, settings } = this.parts;
		const { exchange, call } = this;
		const onArrival = early?.fault.moment === 'arrival';
		// Not awaited, because the body must be read from this tick on.
		if (onArrival) void this.strike(early);
		const reader = new FormReader(exchange.request, call.request, files, settings.maxImageBytes);
		const form = await reader.read().catch(() => undefined);
		if (form) journal.requestChanged(call.request);
		else if (!onArrival) early?.release();
		if (!exchange.over) return form;
		await form?.dispose();
		return undefined;
	}

	/** The fault that the request asks for, or an armed one if no look at the body is needed. */
	private pickEarly(target: Target): Picked | undefined {
		const own = pickFromHeader(this.exchange.request, target);
		return own ?? this.target.faults.pickOnArrival(target);
	}

	private pickFault({ fields, image }: Form): Picked | undefined {
		const texts = [fields['text'], image?.fileName, fields['image']];
		const given = texts.filter((text) => text !== undefined);
		return this.tool && this.target.faults.pick(this.tool.id, given);
	}

	/** @returns whether the exchange is over */
	private async strike(picked: Picked, job?: JobResult): Promise<boolean> {
		this.parts.journal.note(this.call, { fault: picked.rule.fault });
		return await this.exchange.strike(picked, job ? { job } : {});
	}

	/** Charges for the call and waits; then a fault after the charge strikes. */
	private async fulfil(form: Form, after: Picked | undefined): Promise<JobResult | undefined> {
		let result: JobResult;
		try {
			result = await this.sell(form);
		} catch (error) {
			after?.release();
			throw error;
		}
		if (after && (await this.strike(after, result))) return undefined;
		const { delayMs } = this.parts.settings;
		if (delayMs > 0) await pause(this.exchange, delayMs);
		return this.exchange.over ? undefined : result;
	}

	/**
	 * Checks path, method, key, subscription, rate limit, parameters and funds, in this order. Then
	 * makes the file and charges. A client that disconnects after the charge has paid.
	 */
	private async sell(form: Form): Promise<JobResult> {
		const { files, settings, subscribers } = this.parts;
		const { request, signal } = this.exchange;
		const { tool } = this;
		checkTool(request, tool);
		const subscriber = authenticate(request, subscribers, settings.unsubscribedKey);
		subscriber.limiter.take();
		if (form.refusal) throw form.refusal;
		const values = settle(tool.parameters, form.fields, form.image !== undefined, form.problems);
		const price = tool.price?.(values) ?? priceByVersion(values);
		subscriber.account.checkFunds(price);
		const address = values['image'];
		const fetched =
			address === undefined
				? undefined
				: await fetchImage(address, files, settings.maxImageBytes, signal);
		try {
			const takesImage = tool.parameters.some(({ kind }) => kind === 'image');
			const image = takesImage ? (fetched ?? form.image) : undefined;
			const made = await this.makePicture(tool, { settings: values, image });
			return await this.charge(subscriber, price, tool.id, made);
		} finally {
			if (fetched) await files.remove(fetched.file);
		}
	}

	private async makePicture(tool: ToolDefinition, job: Job): Promise<Made> {
		if (this.parts.settings.echoImages && job.image) return await echo(job.image);
		const pixels = (await tool.pixels?.(job)) ?? (job.image ? await pixelsOf(job.image) : 1);
		return await this.parts.workbench.use(pixels, async () => await tool.make(job));
	}

	private async charge(
		{ account, key }: Subscriber,
		price: PriceName,
		tool: Tool,
		made: Made,
	): Promise<JobResult> {
		const { files, journal } = this.parts;
		const output = await files.store(made, key);
		const jobId = randomUUID();
		// The specification's shape (2.1): {base_url}/job-view-file/<path>/output.<ext>.
		const path = `/job-view-file/${jobId}/outputs/output.${made.extension}`;
		const outputUrl = `${this.exchange.base}${path}`;
		const { fields } = this.call.request;
		const note = made.note === undefined ? {} : { note: made.note };
		try {
			const charge = account.charge(price, { jobId, tool, fields, outputUrl, ...note });
			files.publish(jobId, path, output);
			journal.charged(this.call, charge);
		} catch (error) {
			await files.remove(output.file);
			throw error;
		}
		return { id: jobId, output_url: outputUrl };
	}
}

/** The uploaded file itself, with the type that its first bytes show. */
async function echo({ file }: Upload): Promise<Made> {
	const { mimeType, extension } = await sniff(file);
	return { file, mimeType, extension };
}

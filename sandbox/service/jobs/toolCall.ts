import type { FastifyReply, FastifyRequest } from 'fastify';
import { pause, type JobResult } from '../../faults/fault';
import { pickFromHeader } from '../../faults/header';
import type { Picked } from '../../faults/queue';
import { tools } from '../../tools';
import type { ToolDefinition } from '../../tools/tool';
import type { Subscriber } from '../account/subscribers';
import type { Call } from '../control/journal';
import { openCall } from '../control/openCall';
import { Exchange } from '../http/exchange';
import type { Form } from '../http/form';
import { readForm } from '../http/readForm';
import { reasonOf } from '../http/reasonOf';
import type { Parts } from '../parts';
import { keysOf } from './admit';
import { sell, type Sale } from './sell';

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
	const { files, journal, recorder } = parts;
	const exchange = new Exchange(request, reply, recorder);
	const call = openCall(parts, request, reply);
	const folder = files.makeFolder();
	try {
		const result = await new ToolCall(parts, exchange, call, folder).answer();
		if (result) await reply.status(200).send(result);
		else reply.hijack();
	} catch (error) {
		journal.note(call, { refusal: reasonOf(error) });
		throw error;
	} finally {
		await files.remove(folder);
	}
}

/** One request to a tool. */
export class ToolCall implements Sale {
	readonly tool: ToolDefinition | undefined;
	/** Whose faults strike: the holder of the key, or of the first one if the key is not valid. */
	private readonly target: Subscriber;

	constructor(
		readonly parts: Parts,
		readonly exchange: Exchange,
		readonly call: Call,
		readonly folder: string,
	) {
		const path = exchange.request.url.split('?')[0];
		this.tool = tools.find(({ id }) => path === `/api/${id}`);
		const [key] = keysOf(exchange.request);
		this.target = parts.subscribers.find(key) ?? parts.subscribers.first;
	}

	/** Reads, checks and fulfils the call. @returns nothing if a fault or the client ended it */
	async answer(): Promise<JobResult | undefined> {
		const early = this.pickEarly();
		const form = await this.readForm(early);
		if (!form) return undefined;
		const picked = early ?? this.pickFault(form);
		if (picked && picked.fault.moment !== 'after' && (await this.strike(picked))) return undefined;
		return await this.fulfil(form, picked?.fault.moment === 'after' ? picked : undefined);
	}

	/** Reads the body while a fault on arrival strikes. @returns nothing if the call is over */
	private async readForm(early: Picked | undefined): Promise<Form | undefined> {
		const { exchange, call, folder, parts } = this;
		const onArrival = early?.fault.moment === 'arrival';
		// Not awaited, because the body must be read from this tick on.
		if (onArrival) void this.strike(early);
		const { maxImageBytes } = parts.settings;
		const form = await readForm(exchange.request, call.request, folder, maxImageBytes);
		if (form) parts.journal.requestChanged(call.request);
		else if (!onArrival) early?.release();
		return exchange.over ? undefined : form;
	}

	/** The fault that the request asks for, or an armed one if no look at the body is needed. */
	private pickEarly(): Picked | undefined {
		if (!this.tool) return undefined;
		const own = pickFromHeader(this.exchange.request, this.tool.id);
		return own ?? this.target.faults.pickOnArrival(this.tool.id);
	}

	private pickFault({ fields, image }: Form): Picked | undefined {
		const texts = [fields['text'], image?.fileName, fields['image']];
		const given = texts.filter((text) => text !== undefined);
		return this.tool && this.target.faults.pick(this.tool.id, given);
	}

	/** @returns whether the exchange is over */
	private async strike(picked: Picked, job?: JobResult): Promise<boolean> {
		this.call.request.fault = picked.rule.fault;
		this.parts.journal.requestChanged(this.call.request);
		return await this.exchange.strike(picked, job ? { job } : {});
	}

	/** Charges for the call and waits; then a fault after the charge strikes. */
	private async fulfil(form: Form, after: Picked | undefined): Promise<JobResult | undefined> {
		const result = await this.sell(form, after);
		if (!result) return undefined;
		if (after && (await this.strike(after, result))) return undefined;
		const { delayMs } = this.parts.settings;
		if (delayMs > 0) await pause(this.exchange, delayMs);
		return this.exchange.over ? undefined : result;
	}

	/** @returns nothing if the client left before the charge */
	private async sell(form: Form, after: Picked | undefined): Promise<JobResult | undefined> {
		try {
			return await sell(this, form);
		} catch (error) {
			after?.release();
			if (this.exchange.over) return undefined;
			throw error;
		}
	}
}

import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobResult } from '../../faults/fault';
import { pause } from '../../faults/fault';
import type { Picked, Target } from '../../faults/rules';
import { pixelsOf } from '../../pictures/decode';
import { sniff } from '../../pictures/sniff';
import { tools } from '../../tools';
import { settle } from '../../tools/parameters';
import { priceByVersion } from '../../tools/priceByVersion';
import type { Job, ToolDefinition } from '../../tools/tool';
import type { PriceName, Tool } from '../../types';
import type { Call } from '../control/journal';
import { FormReader, type Form, type Upload } from '../http/form';
import { reasonOf } from '../http/reasonOf';
import { Exchange, type Parts } from '../parts';
import { admit } from './admit';
import { fetchImage } from './fetchImage';
import type { Made, StoredOutput } from './files';

/** `POST /api/<model>` (specification 4). */
export class Jobs {
	constructor(private readonly parts: Parts) {}

	/**
	 * Checks path and method, key, subscription, rate limit, parameters and funds, in this order.
	 * Then makes the file, charges, waits `delayMs` and responds. A client that disconnects after
	 * the charge has paid.
	 *
	 * @throws Refusal if a check fails; nothing is charged
	 */
	async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const { recorder, journal } = this.parts;
		const exchange = new Exchange(request, reply, recorder);
		const call = journal.open(recorder.entry(request));
		reply.raw.once('close', () => {
			if (call.request.status === null) journal.note(call, { clientLeft: true });
		});
		try {
			if (await this.serve(exchange, call)) exchange.end();
		} catch (error) {
			journal.note(call, { refusal: reasonOf(error) });
			throw error;
		}
	}

	/** @returns whether the exchange is over, so that Fastify must not respond */
	private async serve(exchange: Exchange, call: Call): Promise<boolean> {
		const { settings, files, faults, journal } = this.parts;
		const { request } = exchange;
		const tool = toolAt(request.url);
		const target: Target | undefined = tool?.id;
		const early = target && faults.pickOnArrival(target);
		// Not awaited, because the body must be read from this tick on, while the fault strikes.
		if (early?.fault.moment === 'arrival') {
			journal.note(call, { fault: early.rule.fault });
			void exchange.strike(early, {});
		}
		let form: Form;
		try {
			form = await new FormReader(request, call.request, files, settings.maxImageBytes).read();
		} catch {
			if (early?.fault.moment !== 'arrival') early?.release();
			return true;
		}
		journal.requestChanged(call.request);
		try {
			if (exchange.over) return true;
			const picked = early ?? (target && faults.pick(target, searchableTexts(form)));
			if (picked && picked.fault.moment !== 'after') {
				journal.note(call, { fault: picked.rule.fault });
				if (await exchange.strike(picked, {})) return true;
			}
			return await this.work(exchange, call, form, tool, picked);
		} finally {
			await form.dispose();
		}
	}

	private async work(
		exchange: Exchange,
		call: Call,
		form: Form,
		tool: ToolDefinition | undefined,
		picked: Picked | undefined,
	): Promise<boolean> {
		const after = picked?.fault.moment === 'after' ? picked : undefined;
		let result: JobResult;
		try {
			result = await this.run(exchange, call, form, tool);
		} catch (error) {
			after?.release();
			throw error;
		}
		if (after) {
			this.parts.journal.note(call, { fault: after.rule.fault });
			if (await exchange.strike(after, { job: result })) return true;
		}
		const { delayMs } = this.parts.settings;
		if (delayMs > 0) await pause(exchange, delayMs);
		if (exchange.over) return true;
		await exchange.reply.status(200).send(result);
		return false;
	}

	private async run(
		exchange: Exchange,
		call: Call,
		form: Form,
		tool: ToolDefinition | undefined,
	): Promise<JobResult> {
		const { account, files, limiter, settings } = this.parts;
		admit(exchange.request, tool, settings);
		limiter.take(settings.apiKey);
		if (form.refusal) throw form.refusal;
		const hasFile = form.image !== undefined;
		const values = settle(tool.parameters, form.fields, hasFile, form.fileFields);
		const price = tool.price?.(values) ?? priceByVersion(values);
		account.checkFunds(price);
		const address = values['image'];
		const fetched =
			address === undefined
				? undefined
				: await fetchImage(address, files, settings.maxImageBytes, exchange.signal);
		try {
			const takesImage = tool.parameters.some(({ kind }) => kind === 'image');
			const image = takesImage ? (fetched ?? form.image) : undefined;
			const made = await this.make(tool, { settings: values, image });
			return await this.charge(exchange, call, price, tool.id, made);
		} finally {
			if (fetched) await files.remove(fetched.file);
		}
	}

	private async make(tool: ToolDefinition, job: Job): Promise<Made> {
		if (this.parts.settings.echoImages && job.image) return await echo(job.image);
		const pixels = (await tool.pixels?.(job)) ?? (job.image ? await pixelsOf(job.image) : 1);
		return await this.parts.workbench.use(pixels, async () => await tool.make(job));
	}

	private async charge(
		{ base }: Exchange,
		call: Call,
		price: PriceName,
		tool: Tool,
		made: Made,
	): Promise<JobResult> {
		const { account, files, journal } = this.parts;
		const output: StoredOutput = await files.store(made);
		const jobId = randomUUID();
		// The specification's shape (2.1): {base_url}/job-view-file/<path>/output.<ext>.
		const path = `/job-view-file/${jobId}/outputs/output.${made.extension}`;
		const outputUrl = `${base}${path}`;
		const { fields } = call.request;
		const note = made.note === undefined ? {} : { note: made.note };
		try {
			const charge = account.charge(price, { jobId, tool, fields, outputUrl, ...note });
			files.publish(jobId, path, output);
			journal.charged(call, charge);
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

function toolAt(url: string): ToolDefinition | undefined {
	const path = url.split('?')[0];
	return tools.find(({ id }) => path === `/api/${id}`);
}

/** The texts that a rule's `when` is looked up in. */
function searchableTexts(form: Form): string[] {
	return [form.fields['text'], form.image?.fileName, form.fields['image']].filter(
		(text) => text !== undefined,
	);
}

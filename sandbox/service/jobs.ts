import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobResult } from '../faults/fault';
import { pause } from '../faults/fault';
import type { Picked, Target } from '../faults/rules';
import { sniff } from '../pictures/sniff';
import { tools } from '../tools';
import { settle } from '../tools/parameters';
import type { Job, ToolDefinition } from '../tools/tool';
import { admit } from './admit';
import { fetchImage } from './fetchImage';
import type { Made } from './files';
import { FormReader, type Form } from './form';
import { Exchange, type Parts } from './parts';

/** `POST /api/<model>` (specification 4). */
export class Jobs {
	constructor(private readonly parts: Parts) {}

	/**
	 * Checks path and method, key, subscription, parameters and funds in this order, makes the
	 * file, charges, waits `delayMs` and answers. A client that leaves after the charge has paid.
	 *
	 * @throws Refusal when a check fails; nothing is charged then
	 */
	async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const { settings, files, faults, recorder } = this.parts;
		const exchange = new Exchange(request, reply, recorder);
		const entry = recorder.entry(request);
		const tool = toolAt(request.url);
		const target: Target | undefined = tool?.id;
		const early = target && faults.pickOnArrival(target);
		// Not awaited: the body must begin to flow in this tick, and the fault strikes meanwhile.
		if (early?.fault.moment === 'arrival') void exchange.strike(early, {});
		let form: Form;
		try {
			form = await new FormReader(request, entry, files, settings.maxImageBytes).read();
		} catch {
			if (early?.fault.moment !== 'arrival') early?.release();
			exchange.end();
			return;
		}
		try {
			if (exchange.over) {
				exchange.end();
				return;
			}
			const picked = early ?? (target && faults.pick(target, wordsOf(form)));
			if (picked && picked.fault.moment !== 'after' && (await exchange.strike(picked, {}))) {
				exchange.end();
				return;
			}
			await this.work(exchange, form, tool, picked);
		} finally {
			await form.dispose();
		}
	}

	private async work(
		exchange: Exchange,
		form: Form,
		tool: ToolDefinition | undefined,
		picked: Picked | undefined,
	): Promise<void> {
		const after = picked?.fault.moment === 'after' ? picked : undefined;
		let result: JobResult;
		try {
			result = await this.run(exchange, form, tool);
		} catch (error) {
			after?.release();
			throw error;
		}
		if (after && (await exchange.strike(after, { job: result }))) {
			exchange.end();
			return;
		}
		const { delayMs } = this.parts.settings;
		if (delayMs > 0) await pause(exchange, delayMs);
		if (exchange.over) {
			exchange.end();
			return;
		}
		await exchange.reply.status(200).send(result);
	}

	private async run(
		{ request, base, left }: Exchange,
		form: Form,
		tool: ToolDefinition | undefined,
	): Promise<JobResult> {
		const { account, files, settings } = this.parts;
		admit(request, tool, settings);
		if (form.problem) throw form.problem;
		const values = settle(tool.parameters, form.fields, form.image !== undefined);
		const tier = values['image_generator_version'] ?? 'standard';
		account.checkFunds(tier);
		const address = values['image'];
		const takesImage = tool.parameters.some(({ kind }) => kind === 'image');
		const fetched =
			address === undefined
				? undefined
				: await fetchImage(address, files, settings.maxImageBytes, left);
		try {
			const image = takesImage ? (fetched ?? form.image) : undefined;
			const made = await this.make(tool, { settings: values, image });
			const output = await files.store(made);
			const id = randomUUID();
			// The specification's shape (2.1): {base_url}/job-view-file/<path>/output.<ext>.
			const path = `/job-view-file/${randomUUID()}/output.${made.extension}`;
			const outputUrl = `${base}${path}`;
			try {
				account.charge(tier, { jobId: id, tool: tool.id, fields: form.fields, outputUrl });
			} catch (error) {
				await files.remove(output.file);
				throw error;
			}
			files.publish(id, path, output);
			return { id, output_url: outputUrl };
		} finally {
			if (fetched) await files.remove(fetched.file);
		}
	}

	private async make(tool: ToolDefinition, job: Job): Promise<Made> {
		if (!this.parts.settings.echoImages || !job.image) return await tool.make(job);
		const { file } = job.image;
		return { file, ...(await sniff(file)) };
	}
}

function toolAt(url: string): ToolDefinition | undefined {
	const path = url.split('?')[0];
	return tools.find(({ id }) => path === `/api/${id}`);
}

function wordsOf(form: Form): string[] {
	return [form.fields['text'], form.image?.fileName, form.fields['image']].filter(
		(word) => word !== undefined,
	);
}

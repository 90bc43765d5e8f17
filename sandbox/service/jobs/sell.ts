import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { qualityOf } from '../../catalog';
import type { JobResult } from '../../faults/fault';
import { sniff } from '../../pictures/sniff';
import { settle } from '../../tools/parameters';
import type { Job, ToolDefinition } from '../../tools/tool';
import type { Call } from '../control/journal';
import type { Exchange } from '../http/exchange';
import type { Form } from '../http/form';
import type { Parts } from '../parts';
import { authenticate, checkTool } from './admit';
import { fetchImage } from './fetchImage';

/** A call to sell a picture for. */
export interface Sale {
	readonly parts: Parts;
	readonly exchange: Exchange;
	readonly call: Call;
	/** Holds its files; removed with it. */
	readonly folder: string;
	/** Undefined if the path names none. */
	readonly tool: ToolDefinition | undefined;
}

/**
 * Checks path, method, key, subscription, rate limit, parameters and funds, in this order. Then
 * makes the file and charges. A client that disconnects after the charge has paid.
 */
export async function sell(
	{ parts, exchange, call, folder, tool }: Sale,
	form: Form,
): Promise<JobResult> {
	const { files, journal, settings, subscribers } = parts;
	const { request, signal, base } = exchange;
	checkTool(request, tool);
	const { account, key, limiter } = authenticate(request, subscribers, settings.unsubscribedKey);
	limiter.take();
	if (form.refusal) throw form.refusal;
	const values = settle(tool.parameters, form);
	const { image: address } = values;
	const price = tool.price ?? qualityOf(values);
	account.checkFunds(price);

	const image = address
		? await fetchImage(address, join(folder, 'fetched'), settings.maxImageBytes, signal)
		: form.image;
	const made = join(folder, 'made');
	const job: Job = { settings: values, image };
	const { mimeType, extension, note } = await make(parts, tool, job, made, signal);
	const output = await files.store(made, mimeType, key);

	const jobId = randomUUID();
	// The specification's shape (2.1): {base_url}/job-view-file/<path>/output.<ext>.
	const path = `/job-view-file/${jobId}/outputs/output.${extension}`;
	const outputUrl = `${base}${path}`;
	try {
		const charge = account.charge(price, {
			jobId,
			tool: tool.id,
			fields: call.request.fields,
			outputUrl,
			...(note && { note }),
		});
		files.publish(jobId, path, output);
		journal.charged(call, charge);
	} catch (error) {
		await files.remove(output.file);
		throw error;
	}
	return { id: jobId, output_url: outputUrl };
}

/** Writes what the tool makes to a file, or the uploaded image as it is. */
async function make(
	{ settings, workbench }: Parts,
	tool: ToolDefinition,
	job: Job,
	file: string,
	signal: AbortSignal,
): Promise<{ mimeType: string; extension: string; note?: string | undefined }> {
	const { image } = job;
	const takesImage = tool.parameters.some(({ kind }) => kind === 'image');
	if (settings.echoImages && takesImage && image) {
		await rename(image.file, file);
		return await sniff(file);
	}
	const note = await workbench.make(tool, job, file, signal);
	return { ...tool.output, note };
}

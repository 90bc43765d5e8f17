import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Clock } from './clock';
import { Charge, type Attempt } from './executions';
import type { Fate, Schedule } from './plan';

/** A picture of three by three pixels. */
const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAIAAADZSiLoAAAADklEQVR4nGNgQAX/GQgBAA4SAgHVFKHTAAAAAElFTkSuQmCC',
	'base64',
);

/** The service: it charges, refuses, hangs, and loses connections. */
export class SimulatedService {
	readonly charges: Charge[] = [];

	/** Called before a request counts. */
	onRequest: (charge: Charge) => void = () => {};

	/** Called for each step that a person would want to read. */
	onStep: (charge: Charge, step: string) => void = () => {};

	/** Whether it does everything at once and well. */
	isCalm = false;

	constructor(
		private readonly clock: Clock,
		private readonly schedule: Schedule,
		private readonly random: () => number,
	) {}

	/** One paid request, as n8n's HTTP client sends it. */
	async request(
		attempt: Attempt,
		signal: AbortSignal,
		{ body }: IHttpRequestOptions,
	): Promise<unknown> {
		const { run, process } = attempt;
		const form = body as unknown as FormData;
		const charge = new Charge(this.charges.length, askOf(form), run, process, this.clock.time);
		const { fate, ms } = this.#fateOf(charge);
		this.charges.push(charge);
		this.onRequest(charge);
		this.onStep(charge, `sends a request for ${charge.ask}, ${fate} in ${Math.round(ms / 1000)} s`);
		const aborted = new Promise<never>((_resolve, reject) => {
			signal.addEventListener('abort', () => {
				// Of what has not reached it completely, the service makes nothing.
				if (charge.outcome === 'none') charge.isCutOff = true;
				reject(new Error('canceled'));
			});
		});
		return await Promise.race([aborted, this.#answer(charge, fate, ms, form, signal)]);
	}

	async #answer(
		charge: Charge,
		fate: Fate,
		ms: number,
		form: FormData,
		signal: AbortSignal,
	): Promise<unknown> {
		const { clock } = this;
		const { process } = charge;
		const file = form.get('image');
		if (fate === 'unreachable') {
			await clock.sleep(process, 20);
			charge.outcome = 'free';
			throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
		}
		if (file instanceof File) {
			await clock.sleep(process, this.#upload(ms));
			if (charge.isCutOff) throw new Error('canceled');
			for await (const chunk of file.stream()) void chunk;
		}
		const isFree = fate === 'refused' || fate === 'busy';
		const isMade = fate === 'image' || fate === 'charged' || fate === 'hangs';
		charge.outcome = 'unclear';
		if (isMade) {
			clock.after(ms * 0.6, undefined, () => {
				charge.isCharged = true;
			});
		}
		if (fate === 'hangs') await new Promise(() => {});
		await clock.sleep(process, ms);
		if (signal.aborted) throw new Error('canceled');
		this.onStep(charge, `answers ${fate}`);
		if (isFree) charge.outcome = 'free';
		if (fate === 'busy') return response(429, { err: 'Too many requests' });
		if (fate === 'refused') return response(400, { err: 'This text is not allowed' });
		if (fate === 'image') {
			charge.outcome = 'image';
			return response(200, { id: `j${charge.id}`, output_url: charge.link });
		}
		if (this.random() < 0.5) return response(500, { err: 'Something broke' });
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	}

	#upload(ms: number): number {
		return this.isCalm ? 0 : Math.min(ms, this.schedule.service.upload * this.random());
	}

	#fateOf({ id }: Charge): { fate: Fate; ms: number } {
		if (this.isCalm) return { fate: 'image', ms: 100 };
		const { script, slowest, mishaps, hangs } = this.schedule.service;
		const ms = script.length > 0 ? slowest : 500 + this.random() * slowest;
		const scripted = script[id];
		if (scripted !== undefined) return scripted;
		const drawn = this.random();
		if (drawn < hangs) return { fate: 'hangs', ms };
		if (this.random() >= mishaps) return { fate: 'image', ms };
		const fates: Fate[] = ['refused', 'refused', 'unclear', 'charged', 'busy', 'unreachable'];
		return { fate: fates[Math.floor(this.random() * fates.length)] ?? 'unclear', ms };
	}
}

/** A download: everything is there. */
export function pictureResponse() {
	return {
		statusCode: 200,
		headers: { 'content-type': 'image/png' },
		body: bodyOf(PICTURE),
	};
}

/** The bytes of the file that stands for a letter. */
export function pictureOf(ask: string): string {
	return Buffer.concat([PICTURE, Buffer.from(ask)]).toString('base64');
}

function response(statusCode: number, json: object) {
	return {
		statusCode,
		headers: { 'content-type': 'application/json' },
		body: bodyOf(Buffer.from(JSON.stringify(json))),
	};
}

/** As much of a stream as the node uses. */
function bodyOf(bytes: Buffer) {
	return {
		on: () => {},
		destroy: () => {},
		async *[Symbol.asyncIterator]() {
			yield await Promise.resolve(bytes);
		},
	};
}

function askOf(form: FormData): string {
	const file = form.get('image');
	if (file instanceof File) return file.name.split('.', 1).join('');
	return form.get('text') as string;
}

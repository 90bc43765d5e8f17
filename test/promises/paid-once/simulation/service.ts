import type { IHttpRequestOptions } from 'n8n-workflow';

import { SECOND, type Clock } from './clock';
import { Charge, type Attempt } from './executions';
import { pictureOf, response, textIn } from './pictures';
import type { Fate, Settings } from './plan';

/** The service: it charges, refuses, hangs, loses connections, and forgets its pictures. */
export class SimulatedService {
	readonly charges: Charge[] = [];

	/** Called for each step that a person would want to read. */
	onStep: (charge: Charge, step: string) => void = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly settings: Settings,
		private readonly random: () => number,
	) {}

	/** One paid request, as n8n's HTTP client sends it. */
	async request(
		attempt: Attempt,
		signal: AbortSignal,
		{ body }: IHttpRequestOptions,
	): Promise<unknown> {
		const form = body as unknown as FormData;
		const charge = new Charge(this.charges.length, askOf(form), attempt, this.clock.time);
		const [fate, ms] = this.#fateOf(charge);
		this.charges.push(charge);
		this.onStep(charge, `asks for ${charge.ask}, ${fate} in ${Math.round(ms / SECOND)} s`);
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
		if (fate === 'unreachable') {
			await clock.sleep(process, 20);
			charge.outcome = 'free';
			throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
		}
		const file = form.get('image');
		if (file instanceof File) {
			await clock.sleep(process, Math.min(ms, SECOND));
			if (charge.isCutOff) throw new Error('canceled');
			// Only now its bytes have been read, as with n8n's client.
			for await (const chunk of file.stream()) void chunk;
		}
		charge.outcome = 'unclear';
		if (!['refused', 'throttled', 'unclear'].includes(fate)) {
			clock.after(ms * 0.6, undefined, () => {
				charge.isCharged = true;
			});
		}
		if (fate === 'hangs') await new Promise(() => {});
		await clock.sleep(process, ms);
		if (signal.aborted) throw new Error('canceled');
		this.onStep(charge, `is answered: ${fate}`);
		charge.answeredAt = clock.time;
		switch (fate) {
			case 'refused':
				charge.outcome = 'free';
				return json(400, { err: 'This text is not allowed' });
			case 'throttled':
				charge.outcome = 'free';
				return json(429, { err: 'Too many requests' });
			case 'image':
			case 'broken':
				charge.outcome = 'image';
				charge.isBroken = fate === 'broken';
				return json(200, { id: `j${charge.id}`, output_url: charge.link });
			default:
				if (this.random() < 0.5) return json(500, { err: 'Something broke' });
				throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
	}

	/** A download. A link that is dead answers 404, 403 or a page. */
	async download(attempt: Attempt, url: string): Promise<unknown> {
		await this.clock.sleep(attempt.process, 100);
		const charge = this.charges.find(({ link }) => link === url);
		if (charge === undefined) return response(404, 'text/plain', 'not found');
		if (this.random() < this.settings.unsent) return response(503, 'text/plain', 'storage is down');
		if (this.isLinkAlive(charge, this.clock.time)) {
			return response(200, 'image/png', pictureOf(`charge ${charge.id}`));
		}
		this.onStep(charge, `has a dead link, asked for by ${attempt.execution.id}`);
		const answers = [
			() => response(404, 'text/plain', 'not found'),
			() => response(403, 'application/json', '{"err":"expired"}'),
			() => response(200, 'text/html', '<html><body>Sign in</body></html>'),
		];
		return answers[charge.id % answers.length]?.();
	}

	isLinkAlive({ isBroken, at }: Charge, time: number): boolean {
		return !isBroken && time - at <= this.settings.linkLife;
	}

	/** The picture that an output item is: by its bytes, or by its id without any. */
	pictureIn(bytes: Buffer | undefined, id: unknown): Charge | undefined {
		const said = bytes === undefined ? '' : textIn(bytes);
		return this.charges.find((each) =>
			bytes === undefined ? id === `j${each.id}` : said === `charge ${each.id}`,
		);
	}

	#fateOf({ id }: Charge): readonly [Fate, number] {
		const { script, quickest, slowest, refused, unclear, hangs, unsent } = this.settings;
		const ms = quickest + this.random() * (slowest - quickest);
		const drawn = this.random();
		const isCharged = this.random() < 0.5;
		const scripted = script[id];
		if (scripted !== undefined) return scripted;
		if (drawn < hangs) return ['hangs', ms];
		if (drawn < hangs + refused) return ['refused', ms];
		if (drawn < hangs + refused + unclear) return [isCharged ? 'charged' : 'unclear', ms];
		if (drawn > 1 - unsent) return [isCharged ? 'throttled' : 'unreachable', SECOND];
		return ['image', ms];
	}
}

function json(statusCode: number, body: object) {
	return response(statusCode, 'application/json', JSON.stringify(body));
}

/** What a request asks for: its text, or with a photo what the photo or its address says. */
function askOf(form: FormData): string {
	const image = form.get('image');
	if (typeof image === 'string') return image;
	return image instanceof File ? image.name.replace(/\.png$/, '') : (form.get('text') as string);
}

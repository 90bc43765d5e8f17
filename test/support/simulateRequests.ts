import type { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
import type { LimitedService } from './limitedService';

/** Requests to send, and with how many workers. Times in milliseconds. */
export interface Work {
	requests: number;
	atOnce: number;
	/** Time to reach the service, and again for the response. */
	latency: number;
	/** Time the service takes for an accepted request. */
	work: number;
	/** Whether a refusal names the wait, in whole seconds. */
	retryAfter: boolean;
	random: () => number;
	/** When the simulation ends. */
	until?: number;
}

/** Sends requests at a rate, on a clock that jumps from event to event. */
export function simulateRequests(
	rate: RequestRate,
	service: LimitedService,
	{ requests, atOnce, latency, work, retryAfter, random, until = Infinity }: Work,
) {
	// In the order in which they happen.
	const events: Array<{ at: number; happen: () => void }> = [];
	/** `time` is when the last response arrived, `sentTimes` when requests were sent. */
	const result = { time: 0, sentTimes: [] as number[], delivered: 0, refused: 0 };
	let waiting = 0;
	let toDo = requests;
	let wakesAt = Infinity;
	const after = (ms: number, happen: () => void) => {
		const at = result.time + ms;
		events.splice(events.findLastIndex((event) => event.at <= at) + 1, 0, { at, happen });
	};
	const travel = () => latency * (1 + random() / 2);

	const begin = () => {
		if (toDo === 0) return;
		toDo--;
		waiting++;
	};
	const letGo = () => {
		while (waiting > 0) {
			const ms = rate.delay(result.time);
			if (ms > 0) {
				const at = result.time + ms;
				if (at < wakesAt || wakesAt <= result.time) {
					wakesAt = at;
					after(ms, letGo);
				}
				return;
			}
			waiting--;
			send(result.time);
		}
	};
	const send = (sentAt: number) => {
		rate.requestSent(sentAt);
		result.sentTimes.push(sentAt);
		after(travel(), () => {
			const wait = service(result.time);
			after(wait === undefined ? work + travel() : travel(), () => {
				if (wait === undefined) {
					result.delivered++;
					begin();
				} else {
					const asked = Math.max(1, Math.ceil(wait / 1000)) * 1000;
					rate.requestRefused(sentAt, result.time, retryAfter ? asked : undefined);
					result.refused++;
					waiting++;
				}
				letGo();
			});
		});
	};

	for (let worker = 0; worker < atOnce; worker++) begin();
	letGo();
	while (result.delivered < requests) {
		const next = events.shift();
		if (next === undefined) throw new Error('All requests wait, and nothing wakes them.');
		if (next.at > until) break;
		result.time = next.at;
		next.happen();
	}
	return result;
}

/** Reproducible random numbers (mulberry32). */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

import { settle } from '../failures/failures';
import { requestOf } from '../service/sameRequest';
import type { Job } from '../types';
import type { Announcement } from './announcements';
import { processOf, type Purchase } from './purchase';
import type { Recalling } from './recalling';

/** Milliseconds between two looks at the log while waiting. */
const LOOK = 3000;

/** The requests of other runs that a run waits for before it buys. It holds no turn and no place meanwhile. */
export class Waits {
	/** The answers and announcements that jobs wait for. */
	readonly #awaited = new Map<Job, Purchase>();

	readonly #announced = new Map<Job, Announcement>();

	#isSaid = false;

	constructor(
		private readonly attempt: Recalling,
		announced: readonly Announcement[],
		open: readonly Job[],
	) {
		if (attempt.policy.reuse !== 'always') return;
		const free = [...announced];
		const { accounts } = attempt.purchases.recording.common;
		for (const job of open) {
			const request = requestOf(job);
			const index = free.findIndex(
				(each) =>
					each.request === request && each.accounts.some((account) => accounts.includes(account)),
			);
			const [found] = index < 0 ? [] : free.splice(index, 1);
			if (found === undefined) continue;
			this.#announced.set(job, found);
			void found.settled.then(() => this.#announced.delete(job));
		}
	}

	note(job: Job, purchase: Purchase): void {
		this.#awaited.set(job, purchase);
	}

	/** The jobs that others have announced, and nobody knows yet what comes of it. */
	get announced(): ReadonlySet<Job> {
		return new Set(this.#announced.keys());
	}

	/** Waits until all of it has come, or until it is time for another look. */
	async next(missing: readonly Job[]): Promise<void> {
		const { purchases, signal, onWait } = this.attempt;
		const { process } = purchases.recording;
		if (!this.#isSaid) onWait(missing);
		this.#isSaid = true;
		const own = [...this.#awaited.values()].flatMap(
			({ entry }) => process.awaited.get(entry) ?? [],
		);
		const announced = missing.flatMap((job) => this.#announced.get(job)?.settled ?? []);
		const isForeign = ({ run }: Purchase) => processOf(run) !== process.name;
		const onlyLogTells = [...this.#awaited.values()].some(isForeign);
		this.#awaited.clear();
		const ended = new AbortController();
		const nextLook = settle(process.wait(LOOK, AbortSignal.any([signal, ended.signal])));
		const settled = Promise.all([...own, ...announced]);
		await Promise.race(onlyLogTells ? [nextLook] : [settled, nextLook]);
		ended.abort();
	}
}

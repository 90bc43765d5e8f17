import type { Purchase } from './purchase';

/** A request that a run is about to make, or whose image it is about to take. */
export interface Announcement {
	readonly run: string;
	readonly request: string;
	readonly accounts: readonly string[];
	/** Resolves once its run has the image, or won't get it from this request. */
	readonly settled: Promise<Purchase | undefined>;
}

/** The images that the runs of this n8n process are about to buy, in the order in which they began to recall. */
export class Announcements {
	readonly #open = new Set<Announcement>();

	/** @returns how to say what came of it */
	add(announced: Omit<Announcement, 'settled'>): (purchase: Purchase | undefined) => void {
		let resolve: (purchase: Purchase | undefined) => void = () => {};
		const settled = new Promise<Purchase | undefined>((resolveNow) => {
			resolve = resolveNow;
		});
		const announcement = { ...announced, settled };
		this.#open.add(announcement);
		return (purchase) => {
			this.#open.delete(announcement);
			resolve(purchase);
		};
	}

	/** The announcements that are open now, in order. */
	get open(): readonly Announcement[] {
		return [...this.#open];
	}
}

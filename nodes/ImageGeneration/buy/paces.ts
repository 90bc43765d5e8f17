import { newSharedPace, Pace, type SharedPace } from './pace';

/** The paces of a run: paid calls and downloads are limited apart. */
export interface Paces {
	calls: Pace;
	downloads: Pace;
	/** Called once when the run is over. */
	leave(): void;
}

interface SharedPaces {
	account: string;
	calls: SharedPace;
	downloads: SharedPace;
	/** Runs that are under way. */
	runs: number;
}

/** The services that are called now. */
const active = new Map<string, SharedPaces>();
/** What an execution has learnt, for its next run: those of a loop, and further attempts. */
const learnt = new WeakMap<object, SharedPaces>();

/**
 * Joins the runs that call the same service in this n8n process, so that all share what one of them
 * learns. When the last one is over, nothing is kept but what an execution goes on with.
 * @param account Tells services and keys apart.
 * @param execution Stands for the node in its execution.
 */
export function joinPaces(
	account: string,
	execution: object,
	onHold: ConstructorParameters<typeof Pace>[1],
): Paces {
	const before = learnt.get(execution);
	const known = active.get(account) ?? (before?.account === account ? before : undefined);
	const shared = known ?? {
		account,
		calls: newSharedPace(),
		downloads: newSharedPace(),
		runs: 0,
	};
	active.set(account, shared);
	learnt.set(execution, shared);
	shared.runs++;
	return {
		calls: new Pace(shared.calls, onHold),
		downloads: new Pace(shared.downloads, onHold),
		leave: () => {
			shared.runs--;
			if (shared.runs === 0 && active.get(account) === shared) active.delete(account);
		},
	};
}

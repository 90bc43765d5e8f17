import { newSharedPace, Pace, type SharedPace } from './pace';

/** The paces of a run. Paid requests and downloads have separate limits. */
export interface Paces {
	calls: Pace;
	downloads: Pace;
	/** Call once when the run is over. */
	leave(): void;
}

interface SharedPaces {
	account: string;
	calls: SharedPace;
	downloads: SharedPace;
	/** Number of active runs. */
	runs: number;
}

/** The paces of active runs, by account. */
const active = new Map<string, SharedPaces>();
/** What an execution learned, for its later runs: rounds of a loop, and attempts. */
const learned = new WeakMap<object, SharedPaces>();

/**
 * Joins the active runs that use the same service in this n8n process, so that they share what they
 * learn about its limit. After the last one, only their executions keep it.
 * @param account Identifies the service and the key.
 * @param execution Identifies the node in its execution.
 * @param requestInterval The minimum time between two paid requests of the run, in milliseconds.
 */
export function joinPaces(
	account: string,
	execution: object,
	requestInterval: number,
	onHold: ConstructorParameters<typeof Pace>[2],
): Paces {
	const before = learned.get(execution);
	const known = active.get(account) ?? (before?.account === account ? before : undefined);
	const shared = known ?? {
		account,
		calls: newSharedPace(),
		downloads: newSharedPace(),
		runs: 0,
	};
	active.set(account, shared);
	learned.set(execution, shared);
	shared.runs++;
	return {
		calls: new Pace(shared.calls, requestInterval, onHold),
		downloads: new Pace(shared.downloads, 0, onHold),
		leave: () => {
			shared.runs--;
			if (shared.runs === 0 && active.get(account) === shared) active.delete(account);
		},
	};
}

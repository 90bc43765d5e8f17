import { newSharedLimit, RateLimiter, type SharedLimit } from './rateLimiter';

/** The rate limiters of a run. Paid requests and downloads have separate limits. */
export interface RateLimiters {
	paid: RateLimiter;
	downloads: RateLimiter;
	/** Call once when the run is over. */
	leave(): void;
}

interface Account {
	name: string;
	paid: SharedLimit;
	downloads: SharedLimit;
	/** Number of active runs. */
	runs: number;
}

/** The limits that active runs share, by account. */
const active = new Map<string, Account>();
/** What an execution learned, for its later runs: rounds of a loop, and attempts. */
const learned = new WeakMap<object, Account>();

/**
 * Joins the active runs that use the same service in this n8n process, so that they share what they
 * learn about its limit. After the last one, only their executions keep it.
 * @param name Identifies the service and the key.
 * @param execution Identifies the node in its execution.
 * @param requestInterval The minimum time between two paid requests of the run, in milliseconds.
 */
export function joinRateLimiters(
	name: string,
	execution: object,
	requestInterval: number,
	onHold: ConstructorParameters<typeof RateLimiter>[2],
): RateLimiters {
	const before = learned.get(execution);
	const account = active.get(name) ??
		(before?.name === name ? before : undefined) ?? {
			name,
			paid: newSharedLimit(),
			downloads: newSharedLimit(),
			runs: 0,
		};
	active.set(name, account);
	learned.set(execution, account);
	account.runs++;
	return {
		paid: new RateLimiter(account.paid, requestInterval, onHold),
		downloads: new RateLimiter(account.downloads, 0, onHold),
		leave: () => {
			if (--account.runs === 0) active.delete(name);
		},
	};
}

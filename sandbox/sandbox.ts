import type { Account as AccountOfKey } from './service/account/account';
import type { Subscriber } from './service/account/subscribers';
import type { Output, RecordedRequest } from './types';

/** The account of an API key. */
export type Account = Readonly<Omit<AccountOfKey, 'charge' | 'checkFunds' | 'ledger' | 'reset'>>;

/** What belongs to one API key. */
export type KeyControls = Pick<Subscriber, 'arm' | 'disarm' | 'ledger' | 'limitRate'> & {
	readonly account: Account;
};

/** A running sandbox, with the controls of its first key. */
export interface Sandbox extends KeyControls {
	/** `http://host:port`, without a trailing slash. */
	readonly url: string;
	/** The latest `keepRequests` requests, oldest first. */
	readonly requests: readonly RecordedRequest[];
	/** Outputs by job id, until `close`. */
	readonly outputs: ReadonlyMap<string, Output>;
	/** Reads a job's file. @throws Error if no job has this id */
	output(jobId: string): Promise<Buffer>;
	/** The controls of any of the keys. @throws Error if the sandbox does not know it */
	forKey(apiKey: string): KeyControls;
	/** Resets the accounts, ledgers, files, requests, faults and rate limits of all keys. */
	reset(): Promise<void>;
	/** Cuts every connection, stops listening and removes the files. Can be called again. */
	close(): Promise<void>;
}

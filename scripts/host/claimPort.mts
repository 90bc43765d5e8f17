import getPort, { portNumbers } from 'get-port';
import { PlainError } from '../tools/PlainError.mjs';

/** A port to listen on. */
export interface PortRequest {
	/** What listens on it, for messages, e.g. `n8n`. */
	what: string;
	/** The option that sets it, e.g. `--port`. */
	option: string;
	/** The port that the user chose, if any. */
	requested: number | undefined;
	/** The port to use if the user chose none. */
	standard: number;
	/** Whether another port may be used if the standard one is in use. */
	allowOther: boolean;
}

/** Finds the port to listen on. @throws PlainError if it is in use and may not be replaced */
export async function claimPort({
	what,
	option,
	requested,
	standard,
	allowOther,
}: PortRequest): Promise<number> {
	const wanted = requested ?? standard;
	const free = await getPort({ port: wanted, host: '127.0.0.1' });
	if (free === wanted || (requested === undefined && allowOther)) return free;
	const next = await getPort({ port: portNumbers(wanted + 1, wanted + 100), host: '127.0.0.1' });
	throw new PlainError(
		`Port ${wanted} for ${what} is in use by another program. ` +
			`Stop that program, or choose another port: npm start -- ${option} ${next}`,
	);
}

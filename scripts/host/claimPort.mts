import getPort, { portNumbers } from 'get-port';
import { PlainError } from '../tools/PlainError.mjs';

/**
 * Finds the port to listen on.
 *
 * @param what listens on it, e.g. `n8n`
 * @param option sets it, e.g. `--port`
 * @param wanted the port that the user chose, or the standard one
 * @param allowOther whether another port will do
 * @throws PlainError if it is in use and no other will do
 */
export async function claimPort(
	what: string,
	option: string,
	wanted: number,
	allowOther: boolean,
): Promise<number> {
	const free = await getPort({ port: wanted, host: '127.0.0.1' });
	if (free === wanted || allowOther) return free;
	const next = await getPort({ port: portNumbers(wanted + 1, wanted + 100), host: '127.0.0.1' });
	throw new PlainError(
		`Port ${wanted} for ${what} is in use by another program. ` +
			`Stop that program, or choose another port: npm start -- ${option} ${next}`,
	);
}

import getPort, { portNumbers } from 'get-port';
import { PlainError } from '../tools/PlainError.mjs';

/** A port of this machine that something of ours is to listen on. */
export interface PortWish {
	/** What it is for, as the message names it: `n8n`. */
	what: string;
	/** The option that changes it: `--port`. */
	option: string;
	/** What the user asked for, if anything. */
	asked: number | undefined;
	usual: number;
	/** Take another one when the usual one is in use. */
	anyWillDo: boolean;
}

/** @throws PlainError when the port is taken and no other will do */
export async function claimPort({
	what,
	option,
	asked,
	usual,
	anyWillDo,
}: PortWish): Promise<number> {
	const wanted = asked ?? usual;
	const free = await getPort({ port: wanted, host: '127.0.0.1' });
	if (free === wanted || (asked === undefined && anyWillDo)) return free;
	const next = await getPort({ port: portNumbers(wanted + 1, wanted + 100), host: '127.0.0.1' });
	throw new PlainError(
		`Port ${wanted}, which ${what} should listen on, is taken by another program. ` +
			`End that program, or choose another port: npm start -- ${option} ${next}`,
	);
}

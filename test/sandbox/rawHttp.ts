import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends raw bytes and reads the response until the connection closes. */
export async function rawHttp(url: string, request: string): Promise<RawAnswer> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	socket.write(request, 'latin1');
	const answer = await text(socket);
	const split = answer.indexOf('\r\n\r\n');
	const body = answer.slice(split + 4);
	return {
		status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]),
		head: answer.slice(0, split).toLowerCase(),
		body: body === '' ? undefined : (JSON.parse(body) as unknown),
	};
}

/** A parsed response. */
export interface RawAnswer {
	status: number;
	/** In lower case. */
	head: string;
	/** Parsed JSON; undefined if empty. */
	body: unknown;
}

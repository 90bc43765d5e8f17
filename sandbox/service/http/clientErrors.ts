import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const jsonHead = { 'content-type': 'application/json; charset=utf-8' };

/** Responds to requests that Node cannot parse, which reach no route (specification 7.1). */
export function answerClientError(error: { code?: string; message: string }, socket: Duplex): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	if (error.code === 'HPE_HEADER_OVERFLOW') {
		refuse(socket, 431, 'The headers are larger than 16 KiB.');
	} else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
		refuse(socket, 408, 'The request took too long to arrive.');
	} else {
		const reason = error.message.replace(/^Parse Error: /, '');
		refuse(socket, 400, `The request is not valid HTTP: ${reason}.`);
	}
}

/** Sends an error without Fastify, which does not handle this request. */
export function writeError(response: ServerResponse, status: number, err: string): void {
	const body = JSON.stringify({ err });
	response.writeHead(status, { ...jsonHead, 'content-length': Buffer.byteLength(body) });
	response.end(body);
}

function refuse(socket: Duplex, status: number, err: string): void {
	const body = JSON.stringify({ err });
	socket.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
			`content-type: ${jsonHead['content-type']}\r\nconnection: close\r\n` +
			`content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
	);
}

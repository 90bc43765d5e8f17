import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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
	} else if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
		refuse(socket, 413, 'The chunk extensions are larger than 16 KiB.');
	} else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
		refuse(socket, 408, 'The request took too long to arrive.');
	} else {
		const reason = error.message.replace(/^Parse Error: /, '');
		refuse(socket, 400, `The request is not valid HTTP: ${reason}.`);
	}
}

/** Responds to CONNECT and Expect, which Node would otherwise handle without the application. */
export function answerConnectAndExpect(server: Server): void {
	server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
		refuse(socket, 405, 'CONNECT is not allowed here; use POST.', 'allow: POST\r\n');
	});
	server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
		const err = `Expect is ${JSON.stringify(request.headers.expect)}; it must be 100-continue.`;
		writeError(response, 417, err);
	});
}

/** Sends an error without Fastify, which does not handle this request. */
export function writeError(response: ServerResponse, status: number, err: string): void {
	const body = JSON.stringify({ err });
	response.writeHead(status, { ...jsonHead, 'content-length': Buffer.byteLength(body) });
	response.end(body);
}

function refuse(socket: Duplex, status: number, err: string, headers = ''): void {
	const body = JSON.stringify({ err });
	socket.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers}` +
			`content-type: ${jsonHead['content-type']}\r\nconnection: close\r\n` +
			`content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
	);
}

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';

import type { INodeParameters } from 'n8n-workflow';

import { useEngine, type BinaryMode, type EngineRun } from './engine';
import { fox } from './runs';
import { useServer, type Handler } from './server';

export const KEY = 'a+secret/key=1';

/**
 * Starts n8n's engine and a service whose responses a test writes byte by byte, and resets them after
 * each test.
 */
export function useRawService(mode?: BinaryMode) {
	const engine = useEngine(mode);
	const sockets = new Set<Socket>();
	const host = useServer((request, response) => {
		if (request.method === 'POST') service.onCall(request, response);
		else service.onDownload(request, response);
	});
	const job = () => ({ id: 'a-job', output_url: `${host.url}/image` });
	const credential = () => ({ baseUrl: host.url, apiKey: KEY });
	const respondWithJob: Handler = (_request, response) => respondJson(response, job());
	host.server.on('connection', (socket) => {
		sockets.add(socket);
		// These tests are about clients that disconnect early.
		socket.on('close', () => sockets.delete(socket)).on('error', () => {});
	});
	afterEach(() => {
		for (const socket of sockets) socket.destroy();
		service.onCall = respondWithJob;
	});

	const service = {
		/** Handles paid requests; responds with the job by default. */
		onCall: respondWithJob,
		/** Handles downloads. */
		onDownload: ((_request, response) => response.writeHead(404).end()) as Handler,
		/** Requests since the test began. */
		requests: host.requests,
		/** Open connections. */
		sockets,
		get engine() {
			return engine();
		},
		get credential() {
			return credential();
		},
		/** A valid job result. */
		get job() {
			return job();
		},
		/** Runs the node; by default Generate Image with one empty item. */
		run: async (options: INodeParameters = {}, what?: Partial<EngineRun>) =>
			await engine().run({
				credential: credential(),
				...what,
				parameters: { ...fox(), ...what?.parameters, options },
			}),
	};
	return service;
}

/** Responds with a value as JSON, or with a text as it is. */
export function respondJson(response: ServerResponse, body: unknown): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Writes a chunk again and again until the client goes away. @returns the bytes sent so far */
export function sendForever(stream: Writable, chunk: Buffer): () => number {
	let sent = 0;
	const send = () => {
		do sent += chunk.length;
		while (!stream.destroyed && stream.write(chunk));
	};
	stream.on('drain', send);
	send();
	return () => sent;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import {
	useEngine,
	type BinaryMode,
	type Engine,
	type EngineResult,
	type EngineRun,
} from './engine';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** n8n's engine and a service whose responses a test writes byte by byte. */
export interface RawService {
	readonly engine: Engine;
	readonly credential: { baseUrl: string; apiKey: string };
	/** A valid job result. */
	readonly job: { id: string; output_url: string };
	/** Requests since the test began. */
	readonly requests: IncomingMessage[];
	/** Open connections. */
	readonly sockets: ReadonlySet<Socket>;
	/** Handles paid requests; responds with the job by default. */
	onCall: Handler;
	/** Handles downloads. */
	onDownload: Handler;
	/** Runs the node; by default Generate Image with one empty item and no retries. */
	run(options?: IDataObject, what?: Partial<EngineRun>): Promise<EngineResult>;
}

export const KEY = 'a+secret/key=1';

/** Starts both for a file's tests and resets them after each. */
export function useRawService(mode?: BinaryMode): RawService {
	const engine = useEngine(mode);
	const requests: IncomingMessage[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		requests.push(request);
		if (request.method === 'POST') service.onCall(request, response);
		else service.onDownload(request, response);
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		// These tests are about clients that disconnect early.
		socket.on('close', () => sockets.delete(socket)).on('error', () => {});
	});
	const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const respondWithJob: Handler = (_request, response) => respondJson(response, service.job);

	const service: RawService = {
		requests,
		sockets,
		onCall: respondWithJob,
		onDownload: (_request, response) => response.writeHead(404).end(),
		get engine() {
			return engine();
		},
		get credential() {
			return { baseUrl: url(), apiKey: KEY };
		},
		get job() {
			return { id: 'a-job', output_url: `${url()}/image` };
		},
		run: async (options = {}, what) =>
			await engine().run({
				credential: service.credential,
				...what,
				parameters: {
					operation: 'generate',
					prompt: 'A fox',
					size: '128x128',
					...what?.parameters,
					options: { maxRetries: 0, ...options },
				},
			}),
	};

	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterEach(() => {
		requests.splice(0);
		for (const socket of sockets) socket.destroy();
		service.onCall = respondWithJob;
	});
	afterAll(() => {
		server.close();
	});
	return service;
}

/** Responds with a value as JSON, or with a text as it is. */
export function respondJson(response: ServerResponse, body: unknown): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

import { readFile } from 'node:fs/promises';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startSandbox, type SandboxOptions } from '../../sandbox';
import { useEngine, type BinaryMode, type EngineResult, type EngineRun } from './engine';
import { gif } from './images';
import { useStarted } from './started';

export const PHOTO = 'examples/photos/astronaut.jpg';

export type Fixture = ReturnType<typeof useFixture>;

/**
 * Starts n8n's engine and a sandbox of the service for a file's tests, and disarms all faults after
 * each.
 */
export function useFixture(options: SandboxOptions = {}, mode?: BinaryMode) {
	const engine = useEngine(mode);
	const sandbox = useStarted(async () => await startSandbox(options));
	let firstRequest = 0;
	let firstCharge = 0;

	const credential = () => ({ baseUrl: sandbox().url, apiKey: 'test-key' });
	const since = (method: string) =>
		sandbox()
			.requests.slice(firstRequest)
			.filter((request) => request.method === method);
	const calls = () => since('POST');
	const charges = () => sandbox().ledger.slice(firstCharge);
	const file = async (fileName = 'astronaut.jpg', trailer = '') => {
		const bytes = Buffer.concat([await readFile(PHOTO), Buffer.from(trailer)]);
		return await engine().store(bytes, fileName, 'image/jpeg');
	};
	const runOf = (parameters: INodeParameters, what: Partial<EngineRun> = {}): EngineRun => ({
		credential: credential(),
		parameters,
		...what,
	});
	/** Starts a run that can be stopped. */
	const start = (parameters: INodeParameters, what?: Partial<EngineRun>) =>
		engine().start(runOf(parameters, what));

	beforeEach(() => {
		firstRequest = sandbox().requests.length;
		firstCharge = sandbox().ledger.length;
	});
	afterEach(() => {
		sandbox().disarm();
	});

	return {
		get engine() {
			return engine();
		},
		get sandbox() {
			return sandbox();
		},
		get credential() {
			return credential();
		},
		/** A photo in n8n's storage; another one with other bytes after its end. */
		file,
		/** A GIF of this name in n8n's storage, unlike every other. */
		gif: async (name: string) => await engine().store(gif(name), `${name}.gif`, 'image/gif'),
		/** An item with the photo in the field `data`. */
		photo: async (fileName?: string, json: IDataObject = {}): Promise<INodeExecutionData> => ({
			json,
			binary: { data: await file(fileName) },
		}),
		start,
		/** Runs the node against the sandbox. */
		run: async (parameters: INodeParameters, what?: Partial<EngineRun>) =>
			await start(parameters, what).result,
		/** Repeats a failed execution, like Retry in n8n's list of executions. */
		retry: async (failed: EngineResult, parameters: INodeParameters, what?: Partial<EngineRun>) =>
			await engine().retry(failed, runOf(parameters, what)),
		/** Paid requests since the test began. */
		calls,
		/** How many of them a fault has struck. */
		struck: () => calls().filter(({ fault }) => fault !== undefined).length,
		/** Downloads since the test began. */
		downloads: () => since('GET'),
		/** Charges since the test began. */
		charges,
		/** Their number. */
		charged: () => charges().length,
		/** How a message names each of their images. */
		links: () => charges().map(({ outputUrl, jobId }) => `${outputUrl} (job ${jobId})`),
	};
}

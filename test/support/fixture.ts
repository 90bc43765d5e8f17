import { readFile } from 'node:fs/promises';

import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	startSandbox,
	type LedgerEntry,
	type RecordedRequest,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';
import {
	useEngine,
	type BinaryMode,
	type Engine,
	type EngineResult,
	type EngineRun,
} from './engine';
import { gif } from './images';

/** n8n's engine and a sandbox of the service, for one test file. */
export interface Fixture {
	readonly engine: Engine;
	readonly sandbox: Sandbox;
	readonly credential: { baseUrl: string; apiKey: string };
	/** A photo in n8n's storage. */
	file(fileName?: string): Promise<IBinaryData>;
	/** A GIF of this name in n8n's storage, unlike every other. */
	gif(name: string): Promise<IBinaryData>;
	/** An item with that photo in the field `data`. */
	photo(fileName?: string, json?: IDataObject): Promise<INodeExecutionData>;
	/** Runs the node against the sandbox. */
	run(parameters: INodeParameters, what?: Partial<EngineRun>): Promise<EngineResult>;
	/** Starts a run that can be stopped. */
	start(parameters: INodeParameters, what?: Partial<EngineRun>): ReturnType<Engine['start']>;
	/** Repeats a failed execution, like Retry in n8n's list of executions. */
	retry(
		failed: EngineResult,
		parameters: INodeParameters,
		what?: Partial<EngineRun>,
	): Promise<EngineResult>;
	/** Paid requests since the test began. */
	calls(): RecordedRequest[];
	/** How many of them a fault has struck. */
	struck(): number;
	/** Downloads since the test began. */
	downloads(): RecordedRequest[];
	/** Charges since the test began. */
	charges(): LedgerEntry[];
	/** Their number. */
	charged(): number;
}

export const PHOTO = 'examples/photos/astronaut.jpg';

/** Starts both before a file's tests and disarms all faults after each. */
export function useFixture(options: SandboxOptions = {}, mode?: BinaryMode): Fixture {
	const engine = useEngine(mode);
	let sandbox: Sandbox | undefined;
	let firstRequest = 0;
	let firstCharge = 0;
	let tests = 0;
	/** A different node for each test, because stopped runs leave their purchases to their node. */
	const nodeOfTest = () => ({ id: `Node of test ${tests}` });

	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(() => {
		tests += 1;
		firstRequest = fixture.sandbox.requests.length;
		firstCharge = fixture.sandbox.ledger.length;
	});
	afterEach(() => {
		sandbox?.disarm();
	});
	afterAll(async () => {
		await sandbox?.close();
	});

	const since = (method: string) =>
		fixture.sandbox.requests.slice(firstRequest).filter((request) => request.method === method);

	const runOf = (parameters: INodeParameters, what: Partial<EngineRun> = {}): EngineRun => ({
		credential: fixture.credential,
		parameters,
		...what,
		node: { ...nodeOfTest(), ...what.node },
	});

	const fixture: Fixture = {
		get engine() {
			return engine();
		},
		get sandbox() {
			if (sandbox === undefined) throw new Error('The sandbox is not up yet');
			return sandbox;
		},
		get credential() {
			return { baseUrl: fixture.sandbox.url, apiKey: 'test-key' };
		},
		file: async (fileName = 'astronaut.jpg') =>
			await fixture.engine.store(await readFile(PHOTO), fileName, 'image/jpeg'),
		gif: async (name) => await fixture.engine.store(gif(name), `${name}.gif`, 'image/gif'),
		photo: async (fileName, json = {}) => ({
			json,
			binary: { data: await fixture.file(fileName) },
		}),
		run: async (parameters, what) => await fixture.start(parameters, what).result,
		start: (parameters, what) => fixture.engine.start(runOf(parameters, what)),
		retry: async (failed, parameters, what) =>
			await fixture.engine.retry(failed, runOf(parameters, what)),
		calls: () => since('POST'),
		struck: () => fixture.calls().filter(({ fault }) => fault !== undefined).length,
		downloads: () => since('GET'),
		charges: () => fixture.sandbox.ledger.slice(firstCharge),
		charged: () => fixture.charges().length,
	};
	return fixture;
}

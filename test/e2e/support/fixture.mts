import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import {
	startSandbox,
	type LedgerEntry,
	type RecordedRequest,
	type Sandbox,
} from '../../../sandbox/index.js';
import { root } from '../../../scripts/tools/checkout.mjs';
import { N8nApi } from './N8nApi.mjs';
import { ownN8n, sharedN8n, type Closer, type TestedN8n } from './testedN8n.mjs';
import type { WorkflowNode } from './workflow.mjs';

/** What n8n calls the first credential of this type. */
const credentialName = 'Image Generation account';

/** A real n8n with the packed package, and a sandbox with a credential for one test file. */
export interface Fixture extends TestedN8n {
	readonly api: N8nApi;
	readonly sandbox: Sandbox;
	/** A node's `credentials` for the sandbox. */
	readonly credentials: NonNullable<WorkflowNode['credentials']>;
	/** Charges since the test began. */
	charged(): LedgerEntry[];
	/** Paid requests since the test began. */
	calls(): RecordedRequest[];
	/** Downloads since the test began. */
	downloads(): RecordedRequest[];
}

type Started = Omit<Fixture, 'charged' | 'calls' | 'downloads'>;

interface FixtureOptions {
	/** A folder in `scripts/hosts/`. */
	hostName: string;
	/** Name of its folder of files, and of its own n8n's folder in `.cache/e2e`. */
	name: string;
	/**
	 * Gives it an n8n of its own. Starts what that needs, and returns its settings as environment
	 * variables.
	 * @param folder for its data, `.cache/e2e/<name>`
	 * @param closers functions that stop what was started, called in reverse order
	 */
	prepare?: (folder: string, closers: Closer[]) => Promise<Record<string, string>>;
}

export const photoFile = join(root, 'examples', 'photos', 'astronaut.jpg');
export const photo = await readFile(photoFile);

// If the run is aborted, the reader of the output goes away first. An unhandled error here would
// end the process before it has stopped what it started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Fills in the fixture before the surrounding tests and stops it after them. */
export function useFixture(options: FixtureOptions): Fixture {
	const closers: Closer[] = [];
	let firstCharge = 0;
	let firstRequest = 0;
	const since = (method: string) =>
		fixture.sandbox.requests.slice(firstRequest).filter((request) => request.method === method);
	const fixture = {
		charged: () => fixture.sandbox.ledger.slice(firstCharge),
		calls: () => since('POST'),
		downloads: () => since('GET'),
	} as Fixture;

	before(async () => {
		Object.assign(fixture, await startFixture(options, closers));
	});
	beforeEach(() => {
		firstCharge = fixture.sandbox.ledger.length;
		firstRequest = fixture.sandbox.requests.length;
	});
	afterEach(() => fixture.sandbox.disarm());
	// Runs even if the fixture started only partly.
	after(async () => {
		for (const close of closers.reverse()) await close();
	});
	return fixture;
}

async function startFixture(
	{ hostName, name, prepare }: FixtureOptions,
	closers: Closer[],
): Promise<Started> {
	const n8n = prepare ? await ownN8n(hostName, name, closers, prepare) : await sharedN8n(hostName);
	const files = join(n8n.files, name);
	await rm(files, { recursive: true, force: true });
	await mkdir(files, { recursive: true });
	closers.push(async () => await rm(files, { recursive: true }));
	const api = new N8nApi(n8n.session, n8n.apiKey);
	const sandbox = await startSandbox();
	closers.push(() => sandbox.close());
	const credential = { baseUrl: sandbox.url, apiKey: 'test-key' };
	const id = await api.createCredential(credentialName, 'imageGenerationApi', credential);
	const credentials = { imageGenerationApi: { id, name: credentialName } };
	return { ...n8n, api, sandbox, credentials, files };
}

import { mkdirSync, rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import getPort from 'get-port';
import {
	startSandbox,
	type LedgerEntry,
	type RecordedRequest,
	type Sandbox,
} from '../../../sandbox/index.js';
import { bootN8n, type N8n } from '../../../scripts/host/bootN8n.mjs';
import { installHost, type Host } from '../../../scripts/host/installHost.mjs';
import { installPackage } from '../../../scripts/host/installPackage.mjs';
import { N8nSession } from '../../../scripts/host/N8nSession.mjs';
import { owner } from '../../../scripts/host/prepare.mjs';
import { cache, root } from '../../../scripts/tools/checkout.mjs';
import { N8nApi } from './N8nApi.mjs';
import { packedPackage } from './packedPackage.mjs';
import type { WorkflowNode } from './workflow.mjs';

/** What n8n calls the first credential of this type. */
const credentialName = 'Image Generation account';

/** A real n8n with the packed package, the sandbox and a credential, for one test file. */
export interface Fixture {
	readonly host: Host;
	readonly n8n: N8n;
	readonly session: N8nSession;
	readonly api: N8nApi;
	readonly sandbox: Sandbox;
	/** A node's `credentials` for the sandbox. */
	readonly credentials: NonNullable<WorkflowNode['credentials']>;
	/** A folder that file nodes may read and write. */
	readonly files: string;
	/** Stops or kills n8n, and starts it again with everything it has stored. */
	restart(end: 'stop' | 'kill'): Promise<void>;
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
	/** Name of the fixture's folder in `.cache/e2e`. */
	name: string;
	/**
	 * Starts what n8n needs and returns its settings, as environment variables.
	 * @param folder the fixture's folder
	 * @param closers functions that stop what was started, called in reverse order
	 */
	prepare?: (folder: string, closers: Closer[]) => Promise<Record<string, string>>;
}

type Closer = () => Promise<void>;

export const photoFile = join(root, 'examples', 'photos', 'astronaut.jpg');
export const photo = await readFile(photoFile);

// If the run is aborted, the reader of the output goes away first. An unhandled error here would
// end the process before it has stopped what it started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Starts the fixture before the surrounding tests and stops it after them. */
export function useFixture(options: FixtureOptions): Fixture {
	let started: Started | undefined;
	const closers: Closer[] = [];
	let firstCharge = 0;
	let firstRequest = 0;
	const fixture = () => {
		if (started === undefined) throw new Error('The fixture is not ready yet');
		return started;
	};

	const since = (method: string) =>
		fixture()
			.sandbox.requests.slice(firstRequest)
			.filter((request) => request.method === method);

	before(async () => {
		started = await startFixture(options, closers);
	});
	beforeEach(() => {
		firstCharge = fixture().sandbox.ledger.length;
		firstRequest = fixture().sandbox.requests.length;
	});
	afterEach(() => fixture().sandbox.disarm());
	// Runs even if the fixture started only partly.
	after(async () => {
		for (const close of closers.reverse()) await close();
	});

	return {
		get host() {
			return fixture().host;
		},
		get n8n() {
			return fixture().n8n;
		},
		get session() {
			return fixture().session;
		},
		get api() {
			return fixture().api;
		},
		get sandbox() {
			return fixture().sandbox;
		},
		get credentials() {
			return fixture().credentials;
		},
		get files() {
			return fixture().files;
		},
		restart: async (end) => {
			await fixture().restart(end);
		},
		charged: () => fixture().sandbox.ledger.slice(firstCharge),
		calls: () => since('POST'),
		downloads: () => since('GET'),
	};
}

async function startFixture(
	{ hostName, name, prepare }: FixtureOptions,
	closers: Closer[],
): Promise<Started> {
	const folder = join(cache, 'e2e', name);
	rmSync(folder, { recursive: true, force: true });
	const files = join(folder, 'files');
	mkdirSync(files, { recursive: true });
	closers.push(async () => {
		// n8n's log stays.
		for (const part of ['.n8n', 'files', 'tmp']) {
			await rm(join(folder, part), { recursive: true, force: true });
		}
	});
	const settings = (await prepare?.(folder, closers)) ?? {};
	const place = { folder, fileAccess: [files, join(root, 'examples')], settings };

	const host = await installHost(hostName);
	await installPackage(place, packedPackage());
	const port = await getPort({ host: '127.0.0.1' });
	let n8n = await bootN8n(host, place, port);
	closers.push(async () => await n8n.stop());
	const restart: Fixture['restart'] = async (end) => {
		await n8n[end]();
		n8n = await bootN8n(host, place, port);
	};
	const session = await N8nSession.open(n8n.url, owner);
	const api = await N8nApi.open(session);
	const sandbox = await startSandbox();
	closers.push(() => sandbox.close());
	const credential = { baseUrl: sandbox.url, apiKey: 'test-key' };
	const id = await api.createCredential(credentialName, 'imageGenerationApi', credential);
	const credentials = { imageGenerationApi: { id, name: credentialName } };
	return {
		host,
		get n8n() {
			return n8n;
		},
		session,
		api,
		sandbox,
		credentials,
		files,
		restart,
	};
}

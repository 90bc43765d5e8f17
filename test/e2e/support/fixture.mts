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

/** A real n8n with the packed package, the sandbox and a credential, for the tests of one file. */
export interface Fixture {
	readonly host: Host;
	readonly n8n: N8n;
	readonly session: N8nSession;
	readonly api: N8nApi;
	readonly sandbox: Sandbox;
	/** What a node's `credentials` say, so that it uses the sandbox. */
	readonly credentials: NonNullable<WorkflowNode['credentials']>;
	/** A folder that file nodes may read and write. */
	readonly files: string;
	/** Ends n8n, gently or as a power cut would, and starts it again with all it has stored. */
	restart(end: 'stop' | 'kill'): Promise<void>;
	/** What was charged since the test began. */
	charged(): LedgerEntry[];
	/** The paid calls that arrived since the test began, without downloads. */
	calls(): RecordedRequest[];
	/** The downloads that arrived since the test began. */
	downloads(): RecordedRequest[];
}

type Standing = Omit<Fixture, 'charged' | 'calls' | 'downloads'>;

interface FixtureOptions {
	/** A folder of `hosts/`. */
	hostName: string;
	/** Names the fixture's folder in `.cache/e2e`. */
	name: string;
	/**
	 * Settings of n8n, by the names of their environment variables, and whatever must stand first.
	 * @param folder the fixture's own
	 * @param closers take down what was put up, last one first
	 */
	prepare?: (folder: string, closers: Closer[]) => Promise<Record<string, string>>;
}

type Closer = () => Promise<void>;

export const photoFile = join(root, 'examples', 'photos', 'astronaut.jpg');
export const photo = await readFile(photoFile);

// When the run is stopped, whoever reads this is gone first. An error here would end the process
// before it has stopped what it started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Builds the fixture before the tests that are around this call, and tears it down after them. */
export function useFixture(options: FixtureOptions): Fixture {
	let built: Standing | undefined;
	const closers: Closer[] = [];
	let firstCharge = 0;
	let firstRequest = 0;
	const fixture = () => {
		if (built === undefined) throw new Error('The fixture is not built yet');
		return built;
	};

	const since = (method: string) =>
		fixture()
			.sandbox.requests.slice(firstRequest)
			.filter((request) => request.method === method);

	before(async () => {
		built = await build(options, closers);
	});
	beforeEach(() => {
		firstCharge = fixture().sandbox.ledger.length;
		firstRequest = fixture().sandbox.requests.length;
	});
	afterEach(() => fixture().sandbox.disarm());
	// Also when only a part of it stands.
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

async function build(
	{ hostName, name, prepare }: FixtureOptions,
	closers: Closer[],
): Promise<Standing> {
	const folder = join(cache, 'e2e', name);
	rmSync(folder, { recursive: true, force: true });
	const files = join(folder, 'files');
	mkdirSync(files, { recursive: true });
	closers.push(async () => {
		// What stays is n8n's log.
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
	const id = await api.createCredential('Sandbox', 'imageGenerationApi', credential);
	const credentials = { imageGenerationApi: { id, name: 'Sandbox' } };
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

import assert from 'node:assert/strict';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import sharp from 'sharp';
import {
	startSandbox,
	type LedgerEntry,
	type RecordedRequest,
	type Sandbox,
} from '../../../sandbox/index.js';
import { root } from '../../../scripts/tools/checkout.mjs';
import { idsIn, imageOf, rowsOf, type Execution } from './execution.mjs';
import { N8nApi } from './N8nApi.mjs';
import { imageGeneration, whenCalled } from './nodes.mjs';
import { ownN8n, sharedN8n, type Closer, type TestedN8n } from './testedN8n.mjs';
import { workflow, type Links, type WorkflowNode } from './workflow.mjs';

/** What n8n calls the first credential of this type. */
const credentialName = 'Image Generation account';

/** A real n8n with the packed package, and a sandbox with a credential for one test file. */
export type Fixture = ReturnType<typeof useFixture>;

interface Started extends TestedN8n {
	readonly api: N8nApi;
	readonly sandbox: Sandbox;
	/** A node's `credentials` for the sandbox. */
	readonly credentials: NonNullable<WorkflowNode['credentials']>;
}

type Body = FormData | Record<string, unknown>;

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
	/** Whether tests run at the same time, so that each looks only for its own prompts and disarms no fault. */
	atOnce?: boolean;
}

/** A photo of a test's own: Remove Background buys the same photo only once. */
export function photoOf(test: string): Buffer {
	return Buffer.concat([photo, Buffer.from(test)]);
}

export const photo = await readFile(join(root, 'examples', 'photos', 'astronaut.jpg'));

// If the run is aborted, the reader of the output goes away first. An unhandled error here would
// end the process before it has stopped what it started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Fills in the fixture before the surrounding tests and stops it after them. */
export function useFixture(options: FixtureOptions) {
	const closers: Closer[] = [];
	let firstCharge = 0;
	let firstRequest = 0;
	const fixture = Object.assign({} as Started, {
		/** The node under test, with the fixture's credential. */
		node: (...[name, parameters, settings]: Parameters<typeof imageGeneration>) =>
			imageGeneration(name, parameters, { credentials: fixture.credentials, ...settings }),
		/** Publishes a workflow that begins with a webhook or a form. @returns its id */
		publish: async (nodes: readonly WorkflowNode[], links?: Links): Promise<string> => {
			const { kind, path } = triggerOf(nodes);
			return await fixture.api.publish(workflow(path, nodes, links), `/${kind}/${path}`);
		},
		/** Makes a workflow that others can call, of nodes behind its trigger. @returns its id */
		publishCalled: async (name: string, ...nodes: readonly WorkflowNode[]): Promise<string> => {
			const id = await fixture.api.createWorkflow(workflow(name, [whenCalled, ...nodes]));
			// n8n 2 runs only published workflows; n8n 1 cannot publish one without an event trigger.
			if (fixture.host.version.startsWith('2.')) await fixture.api.activate(id);
			return id;
		},
		/** Calls a webhook, or a form, with JSON or files. @returns its response */
		call: async (path: string, body: Body, kind = 'webhook'): Promise<Response> => {
			const isForm = body instanceof FormData;
			return await fetch(`${fixture.n8n.url}/${kind}/${path}`, {
				method: 'POST',
				headers: { connection: 'close', ...(!isForm && { 'content-type': 'application/json' }) },
				body: isForm ? body : JSON.stringify(body),
			});
		},
		/** Publishes a workflow and calls it. @returns its execution, once that has finished */
		run: async (nodes: readonly WorkflowNode[], body: Body = {}, links: Links = {}) => {
			const id = await fixture.publish(nodes, links);
			const { kind, path } = triggerOf(nodes);
			await fixture.call(path, body, kind);
			return await fixture.api.lastExecution(id);
		},
		/** Charges since the test began, or all charges for a prompt. */
		charged: (prompt?: string): LedgerEntry[] =>
			fixture.sandbox.ledger.filter(({ fields }, index) =>
				prompt === undefined ? index >= firstCharge : fields.text === prompt,
			),
		/** Paid requests since the test began, or all for a prompt. */
		calls: (prompt?: string): RecordedRequest[] =>
			fixture.sandbox.requests.filter(
				({ method, fields }, index) =>
					method === 'POST' &&
					(prompt === undefined ? index >= firstRequest : fields.text === prompt),
			),
		/** Asserts that a node delivered what was charged since the test began. */
		assertDelivered: (execution: Execution, node: string): void => {
			const bought = fixture.charged().map(({ jobId }) => jobId);
			assert.deepEqual(idsIn(execution, node), bought);
		},
		/** Asserts that n8n has the images that the service made for a node's output items. */
		assertStored: async (execution: Execution, node: string): Promise<void> => {
			for (const row of rowsOf(execution, node)) {
				const image = imageOf(row);
				assert.ok(image);
				const made = await fixture.sandbox.output(String(row.json.id));
				assert.deepEqual(await fixture.api.bytesOf(image), made);
			}
		},
	});

	before(async () => {
		Object.assign(fixture, await startFixture(options, closers));
	});
	beforeEach(() => {
		firstCharge = fixture.sandbox.ledger.length;
		firstRequest = fixture.sandbox.requests.length;
	});
	afterEach(() => {
		if (options.atOnce !== true) fixture.sandbox.disarm();
	});
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

/** What starts a workflow, and the path of its address. */
function triggerOf([trigger]: readonly WorkflowNode[]) {
	const kind = trigger?.type.endsWith('formTrigger') ? 'form' : 'webhook';
	return { kind, path: trigger?.webhookId ?? '' };
}

/** Files of a multipart request, JPEG unless they have a type. */
export function upload(
	...files: readonly (readonly [
		part: string,
		name: string,
		content: Buffer | string,
		type?: string,
	])[]
): FormData {
	const body = new FormData();
	for (const [part, name, content, type = 'image/jpeg'] of files) {
		body.append(part, new File([content], name, { type }));
	}
	return body;
}

/** Different photos. */
export async function threePhotos(size: number): Promise<[Buffer, Buffer, Buffer]> {
	const ofWidth = async (width: number) => await sharp(photo).resize(width).jpeg().toBuffer();
	return await Promise.all([ofWidth(size), ofWidth(size + 20), ofWidth(size + 40)]);
}

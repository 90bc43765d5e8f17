import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/index.js';
import { cache, root } from '../tools/checkout.mjs';
import { atEnd } from '../tools/ending.mjs';
import { step } from '../tools/step.mjs';
import { bootN8n, type N8n } from './bootN8n.mjs';
import { claimCheckout } from './claimCheckout.mjs';
import type { Place } from './environment.mjs';
import { importExamples } from './importExamples.mjs';
import { installHost } from './installHost.mjs';
import { installPackage } from './installPackage.mjs';
import { packPackage } from './packPackage.mjs';

/** Everything that `npm start` and `npm run dev` run. */
export interface Studio {
	sandbox: Sandbox;
	place: Place;
	n8n: N8n;
	/** Where the example workflows write their images. */
	output: string;
}

/**
 * Starts the sandbox, and n8n with the packed package, a credential and the examples.
 * @param settings more settings of n8n, as environment variables
 */
export async function prepare(
	ports: { n8n: number; sandbox: number },
	settings: Readonly<Record<string, string>> = {},
): Promise<Studio> {
	claimCheckout();
	const host = await installHost('n8n-2');

	const tarball = await step('Building and packing the node', async () => await packPackage());

	const apiKey = 'test-key';
	const sandbox = await startSandbox({ port: ports.sandbox, apiKey });
	atEnd(() => sandbox.close());

	const output = join(root, 'output');
	mkdirSync(output, { recursive: true });
	const place: Place = {
		folder: join(cache, 'n8n'),
		fileAccess: [join(root, 'examples'), output],
		settings,
	};
	await step('Installing the node, a credential and the examples in n8n', async () => {
		await installPackage(place, tarball);
		await importExamples(host, place, { baseUrl: sandbox.url, apiKey });
	});
	const n8n = await step(
		`Starting n8n ${host.version}`,
		async () => await bootN8n(host, place, ports.n8n),
	);
	return { sandbox, place, n8n, output };
}

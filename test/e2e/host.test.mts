import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hostVersion, installHost } from '../../scripts/host/installHost.mjs';
import { root } from '../../scripts/tools/checkout.mjs';
import { run } from '../../scripts/tools/run.mjs';

const script = join(root, 'test/e2e/support/loadNodes.mjs');

/** An n8n loads a node when a workflow uses it, so a missing package shows only then. */
for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`The installed n8n ${hostVersion(hostName)}`, () => {
		it('loads each of its own nodes and credentials', async () => {
			const { node, folder } = await installHost(hostName);
			const printed = await run(node, [script], { cwd: folder });
			const { loaded, broken } = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as {
				loaded: number;
				broken: string[];
			};
			assert.deepEqual(broken, []);
			assert.ok(loaded > 500, `${loaded} files`);
		});
	});
}

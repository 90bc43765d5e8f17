import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../../../scripts/tools/checkout.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { shipped } from './shipped.mjs';

interface NodeType {
	name: string;
	version: number | number[];
}

/** n8n 1.123.81 runs nodes with an unknown version, but its editor cannot open them. */
export function knownNodeCases(fixture: Fixture): void {
	void describe('Every example', () => {
		void it('uses only nodes and versions that this n8n has', async () => {
			const { url, cookie } = fixture.session;
			const answer = await fetch(`${url}/types/nodes.json`, { headers: { cookie } });
			const types = (await answer.json()) as NodeType[];
			const known = new Set(
				types.flatMap(({ name, version }) => [version].flat().map((each) => `${name} ${each}`)),
			);

			const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));
			assert.ok(files.length > 1);
			const used = files.flatMap((file) =>
				shipped(fixture, file).nodes.map(({ type, typeVersion }) => ({
					file,
					node: `${type} ${typeVersion}`,
				})),
			);
			assert.deepEqual(
				used.filter(({ node }) => !known.has(node)),
				[],
			);
		});
	});
}

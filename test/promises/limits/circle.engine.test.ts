import type { INodeExecutionData } from 'n8n-workflow';

import type { EngineResult, EngineRun } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import { AS_TOOL } from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });

const EDIT = { operation: 'edit', prompt: 'Blur it' };
const BY_LINK = { ...EDIT, inputType: 'url', imageUrl: '={{ $json.link }}' };

/** The images of a run as the input of the next one: their files and their links. */
const returned = ({ rows }: EngineResult): INodeExecutionData[] =>
	rows.map(({ json, binary }) => ({
		json: { link: json.output_url },
		...(binary !== undefined && { binary }),
	}));

/** Edits a photo in one execution, and what comes of it in the next one. */
async function twice(given: typeof EDIT = EDIT) {
	const first = await fixture.run(EDIT, { items: [await fixture.photo()] });
	const second = await fixture.run(given, { items: returned(first) });
	expect(second.error).toBeUndefined();
	expect(fixture.charged()).toBe(2);
	return second;
}

describe('a result of a result of this node', () => {
	it.each([
		['file', EDIT, /^The file ".+" was made by this node from its own result, in execution \d+\./],
		['link', BY_LINK, /^".+" was made by this node from its own result, in execution \d+\./],
	])('is refused if it comes in again as a %s', async (_how, given, message) => {
		const second = await twice(given);
		const { error } = await fixture.run(given, { items: returned(second) });

		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Save the images in another place');
		expect(fixture.charged()).toBe(2);
	});

	it.each<[how: string, more: object, what: Partial<EngineRun>]>([
		['with another instruction', { prompt: 'Turn it around' }, {}],
		['by another node', {}, { node: { id: 'other' } }],
		['in the editor', {}, { mode: 'manual' }],
		['by an agent', {}, { node: AS_TOOL }],
	])('is worked on %s', async (_how, more, what) => {
		const second = await twice();
		const { rows } = await fixture.run({ ...EDIT, ...more }, { items: returned(second), ...what });

		expect(rows[0]?.json.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
	});
});

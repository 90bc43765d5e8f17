import type { INodeExecutionData } from 'n8n-workflow';

import { storeOther } from '../support/additionalData';
import type { EngineResult, EngineRun } from '../support/engine';
import { useFixture } from '../support/fixture';
import { processNow } from '../support/remembered';
import { removeBackground } from '../support/runs';

const fixture = useFixture();

const EDIT = { operation: 'edit', prompt: 'Blur it' };
const BY_LINK = { ...EDIT, inputType: 'url', imageUrl: '={{ $json.link }}' };

/** The images of a run as the input of the next one: their files and their links. */
const returned = ({ rows }: Pick<EngineResult, 'rows'>): INodeExecutionData[] =>
	rows.map(({ json, binary }) => ({
		json: { link: json.output_url },
		...(binary !== undefined && { binary }),
	}));

describe('an image that the node made itself and gets again in another execution', () => {
	it.each([
		['edit', EDIT, 'made itself with the same instruction, in'],
		['cut-out', removeBackground(), 'made itself, in execution'],
	])('costs nothing, and the message says how the circle arises: %s', async (_, given, message) => {
		const first = await fixture.run(given, { items: [await fixture.photo()] });
		const { error } = await fixture.run(given, { items: returned(first) });

		expect(error?.message).toContain(message);
		expect(error?.description).toContain('the place that its own trigger watches');
		expect(fixture.charged()).toBe(1);
	});

	it.each([true, false])(
		'costs nothing if it comes back as a link, whether it was downloaded or not: %s',
		async (download) => {
			const first = await fixture.run({ ...EDIT, download }, { items: [await fixture.photo()] });
			const { error } = await fixture.run({ ...BY_LINK, download }, { items: returned(first) });

			expect(error?.message).toMatch(
				/^'Image URL' is ".+", the link of an image that this node made itself with the same instruction, in execution \d+\.$/,
			);
			expect(error?.description).toContain('the place that its own trigger watches');
			expect(fixture.charged()).toBe(1);
		},
	);
});

describe.each([
	['file', EDIT],
	['link', BY_LINK],
])('an image that comes back as a %s is bought once more', (_how, again) => {
	const called = { mode: 'integrated', caller: 'caller' } as const;

	it.each<[by: string, how: object, more: Partial<EngineRun>, first: Partial<EngineRun>]>([
		['by another node', {}, { node: { id: 'other' } }, {}],
		['with another instruction', { prompt: 'Turn it around' }, {}, {}],
		['by a sub-workflow of the same caller', {}, called, called],
	])('%s', async (_by, how, more, before) => {
		storeOther('caller');
		const first = await fixture.run(EDIT, { items: [await fixture.photo()], ...before });
		const { error } = await fixture.run({ ...again, ...how }, { items: returned(first), ...more });

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});

	it('by a sub-workflow of the execution that made it', async () => {
		const first = await fixture.run(EDIT, { items: [await fixture.photo()] });
		const [made] = processNow().journal.find(() => true);
		const caller = made?.execution ?? '';
		// It goes on.
		storeOther(caller);
		const { error } = await fixture.run(again, {
			items: returned(first),
			mode: 'integrated',
			caller,
		});

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});
});

it('an image that comes back as a link in a later round of a loop is bought once more', async () => {
	await fixture.run(EDIT, { items: [await fixture.photo()], node: { id: 'other' } });
	const linkOf = (index: number) => fixture.charges()[index]?.outputUrl ?? '';
	const second = {
		get link() {
			return linkOf(1);
		},
	};
	const { error } = await fixture.run(BY_LINK, {
		items: [{ json: { link: linkOf(0) } }],
		rounds: [[{ json: second }]],
	});

	expect(error).toBeUndefined();
	expect(fixture.calls().map(({ fields }) => fields.image)).toStrictEqual([
		undefined,
		linkOf(0),
		linkOf(1),
	]);
});

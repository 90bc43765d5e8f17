import type { INodeParameters } from 'n8n-workflow';

import type { EngineRun } from '../support/engine';
import { useFixture } from '../support/fixture';
import { AS_TOOL, CONTINUE, generate, hintsOf, idsOf, itemsOf, namesOf } from '../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const run = async (parameters: INodeParameters, what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { mode: 'manual', ...what });
/** Buys an image of this title in a manual run, unless an earlier one did. */
const buy = async (title: string, options: object = {}, what: Partial<EngineRun> = {}) =>
	await run(generate(options), { items: itemsOf(title), ...what });

const onlyLinks = { ...generate({ concurrency: 1 }), download: false };

/** What a hint says of one reused image, at whatever time of today it was bought. */
const REUSED = expect.stringMatching(/^1 image .* cost nothing\. .*add .*'Reuse Images'/) as string;
/** The same of this many. */
const reusedHint = (count: number) =>
	expect.stringMatching(`^${count} images .* cost nothing`) as string;

const GONE = expect.stringContaining('The service no longer has an image') as string;

describe('a second click', () => {
	it('costs nothing, delivers the same image and says how to get another one', async () => {
		const first = await buy('An owl');
		const second = await buy('An owl');

		expect(fixture.charged()).toBe(1);
		expect(hintsOf(first)).toStrictEqual(['1 image was bought.']);
		expect(idsOf(second)).toStrictEqual(idsOf(first));
		expect(namesOf(second.rows)).toStrictEqual(namesOf(first.rows));
		expect(hintsOf(second)).toStrictEqual([REUSED]);
	});

	it('says when the image was bought by the clock of the workflow', async () => {
		const settings = { timezone: 'Pacific/Kiritimati' };
		await buy('A clock');
		const [hint = ''] = hintsOf(await buy('A clock', {}, { settings })) ?? [];
		const timeIn = (age: number) =>
			new Date(Date.now() + 14 * 3_600_000 - age).toISOString().slice(11, 16);

		// It may have been the minute before.
		expect([timeIn(0), timeIn(60_000)]).toContain(/ at (\d\d:\d\d) /.exec(hint)?.[1]);
	});

	it('buys another image with a changed prompt', async () => {
		await buy('A bear');
		const second = await buy('A bee');

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(second)).toStrictEqual(['1 image was bought.']);
	});

	it('gives each round of a loop its own image, and the same ones to the next loop', async () => {
		const rounds = [itemsOf('A round'), itemsOf('A round')];
		await buy('A round', {}, { rounds });
		expect(fixture.charged()).toBe(3);

		await buy('A round', {}, { rounds });
		expect(fixture.charged()).toBe(3);
	});

	it('still gives several images of one prompt, and buys those that are missing', async () => {
		const first = await buy('Three', { numberOfImages: 3 });
		const second = await buy('Three', { numberOfImages: 3 });
		expect(new Set(idsOf(second))).toStrictEqual(new Set(idsOf(first)));
		expect(new Set(idsOf(second)).size).toBe(3);
		expect(hintsOf(second)).toStrictEqual([reusedHint(3)]);

		const third = await buy('Three', { numberOfImages: 4 });
		expect(fixture.charged()).toBe(4);
		expect(new Set(idsOf(third)).size).toBe(4);
		expect(hintsOf(third)).toStrictEqual(['1 image was bought.', reusedHint(3)]);
	});

	it('of an agent’s tool buys another image', async () => {
		for (let count = 0; count < 2; count++) await buy('A tool', {}, { node: AS_TOOL });

		expect(fixture.charged()).toBe(2);
	});

	it('of a production run buys another image', async () => {
		await buy('A wolf');
		const second = await buy('A wolf', {}, { mode: 'trigger' });

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(second)).toStrictEqual(['1 image was bought.']);
	});
});

describe('Reuse Images', () => {
	it.each([
		['never', 'manual', 2],
		['always', 'trigger', 1],
	] as const)('of %j pays for two %s runs %d times', async (reuse, mode, paid) => {
		for (let count = 0; count < 2; count++) await buy('A trigger', { reuse }, { mode });

		expect(fixture.charged()).toBe(paid);
	});

	it('also helps Retry in the list of executions', async () => {
		await buy('One');
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const items = itemsOf('One', 'Two');
		const failed = await run(generate(), { items });
		const again = await fixture.retry(failed, generate(), { items });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});

	const later = async () => await Promise.reject(new Error('The sheet is away'));

	it.each([
		['a second click', 404, 'manual', {}],
		['the run after one whose later node failed', 410, 'trigger', { later }],
	] as const)(
		'%s buys an image again if its link is gone (%d), and says so',
		async (_how, status, mode, fails) => {
			const title = `Gone ${status}`;
			await buy(title, {}, { mode, ...fails });
			fixture.sandbox.arm({ fault: 'download-500', status });
			const again = await buy(title, {}, { mode });

			expect(again.error).toBeUndefined();
			expect(fixture.charged()).toBe(2);
			expect(idsOf(again)).toStrictEqual([fixture.charges().at(-1)?.jobId]);
			expect(hintsOf(again)).toStrictEqual([GONE]);
		},
	);

	it('buys an image whose link is gone in Retry of the execution that bought it', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const items = itemsOf('One', 'Two');
		const failed = await run(generate({ concurrency: 1 }), { items });
		fixture.sandbox.arm({ fault: 'download-404' });
		const again = await fixture.retry(failed, generate({ concurrency: 1 }), { items });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
		expect(hintsOf(again)).toStrictEqual([GONE]);
	});

	it('buys an image that is not downloaded again only if its link is gone', async () => {
		const buyLink = async () => await run(onlyLinks, { items: itemsOf('Link') });
		await buyLink();
		fixture.sandbox.arm({ fault: 'download-500' });
		const second = await buyLink();
		expect(fixture.charged()).toBe(1);
		expect(idsOf(second)).toStrictEqual([fixture.charges()[0]?.jobId]);

		fixture.sandbox.arm({ fault: 'download-404' });
		const third = await buyLink();
		expect(fixture.charged()).toBe(2);
		expect(idsOf(third)).toStrictEqual([fixture.charges()[1]?.jobId]);
		expect(third.rows[0]?.binary).toBeUndefined();
		expect(hintsOf(third)).toStrictEqual([GONE]);
	});

	it('looks for no other image that is not downloaded after one without a clear answer', async () => {
		const items = itemsOf('First', 'Second', 'Third');
		await run(onlyLinks, { items });
		fixture.sandbox.arm({ fault: 'download-500', times: 3 });
		const again = await run(onlyLinks, { items });

		expect(again.rows.map(({ json }) => json.output_url)).toStrictEqual(
			fixture.charges().map(({ outputUrl }) => outputUrl),
		);
		expect(fixture.downloads()).toHaveLength(1);
		expect(fixture.charged()).toBe(3);
	});

	it('buys an image whose link is gone at the next Retry if it could not now', async () => {
		await buy('Lost');
		fixture.sandbox.arm({ fault: 'download-404' });
		fixture.sandbox.arm({ fault: 'status', status: 402, when: 'Lost' });
		const failed = await buy('Lost');
		expect(failed.error?.httpCode).toBe('402');

		const again = await fixture.retry(failed, generate(), { items: itemsOf('Lost') });
		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
		expect(idsOf(again)).toStrictEqual([fixture.charges().at(-1)?.jobId]);
	});

	it('does not count an image as reused whose link is gone and that could not be bought again', async () => {
		await buy('Nowhere');
		fixture.sandbox.arm({ fault: 'download-404' });
		fixture.sandbox.arm({ fault: 'status', status: 402, when: 'Nowhere' });

		expect(hintsOf(await buy('Nowhere', {}, { node: CONTINUE }))).toStrictEqual([
			GONE,
			expect.stringMatching(/^1 item has no image\. Item 1, &quot;Nowhere&quot;: /),
		]);
	});

	it('buys an image whose link is gone only once, however many runs follow', async () => {
		const copies = { numberOfImages: 3, concurrency: 1 };
		fixture.sandbox.arm({ fault: 'gone-output-url', after: 1 });
		await buy('Three', copies, { node: CONTINUE });
		await buy('Three', copies);
		expect(fixture.charged()).toBe(4);

		const third = await buy('Three', copies);
		expect(fixture.charged()).toBe(4);
		expect(new Set(idsOf(third)).size).toBe(3);
	});

	it('leaves room under Max Images', async () => {
		await run(generate({ maxImages: 2 }), { items: itemsOf('One', 'Two') });
		const items = itemsOf('One', 'Two', 'Three');
		const reusing = await run(generate({ maxImages: 1 }), { items });
		expect(reusing.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
	});
});

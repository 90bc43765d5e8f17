import { useFixture } from '../support/fixture';
import { generate, hintsOf, idsOf, itemsOf, TWO_ATTEMPTS } from '../support/runs';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000 });
const parameters = generate({ concurrency: 1 });
const two = itemsOf('One', 'Two');
type Started = ReturnType<typeof fixture.start>;

const KEPT = '1 image was kept from a stopped run.';
const KEPT_AND_BOUGHT = '1 image was bought, 1 image was kept from a stopped run.';
const CUT_OFF =
	'1 request that was cut off may have been charged: Item 2, &quot;Two&quot;. Check your account.';
const unasked = (link?: string) =>
	`A stopped run bought an image that this run did not use: ${link}.`;

/** Stops runs once they have got this far. */
async function stopWhen(isReached: () => boolean, ...runs: Started[]) {
	await until(isReached);
	for (const { stop, result } of runs) {
		stop();
		await result;
	}
	fixture.sandbox.disarm();
}

/** Stops a production run after it delivered its first image and while it buys the second. */
async function stopped(given = parameters) {
	fixture.sandbox.arm({ fault: 'hang', when: 'Two' });
	const run = fixture.start(given, { items: two });
	await stopWhen(() => fixture.downloads().length === 1 && fixture.struck() === 1, run);
	return { ...(await run.result), bought: fixture.charges()[0] };
}

describe('a stopped production run', () => {
	it('has counted its purchases, and leaves them to the next run, which takes them over for equal requests', async () => {
		const { bought, run } = await stopped();
		expect(run.status).toBe('canceled');
		expect(run.data.resultData.metadata).toStrictEqual({ imagesPaid: '1' });
		const next = await fixture.run(parameters, { items: two });

		expect(idsOf(next)[0]).toBe(bought?.jobId);
		expect(hintsOf(next)).toStrictEqual([KEPT_AND_BOUGHT, CUT_OFF]);
		expect(fixture.charged()).toBe(2);
	});

	it('leaves no image to be bought again because its link is gone', async () => {
		await stopped();
		fixture.sandbox.arm({ fault: 'download-404' });
		const { error } = await fixture.run(parameters, { items: itemsOf('One') });

		expect(error?.message).toContain('could not be downloaded (status 404)');
		expect(fixture.charged()).toBe(1);
	});

	it('is mentioned by the next run if that run requests something else', async () => {
		const { bought } = await stopped();
		const next = await fixture.run(parameters, { items: itemsOf('Three') });
		const later = await fixture.run(parameters, { items: itemsOf('Three') });

		expect(hintsOf(next)).toStrictEqual([
			'1 image was bought.',
			unasked(bought?.outputUrl),
			CUT_OFF,
		]);
		expect(hintsOf(later)).toStrictEqual(['1 image was bought.']);
	});

	it('is mentioned by the next run even if that run fails', async () => {
		const { bought } = await stopped();
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { error } = await fixture.run(parameters, { items: itemsOf('Three') });

		expect(error?.description).toContain(unasked(bought?.outputUrl));
	});

	it('keeps its purchases when another run of the node is stopped after it', async () => {
		for (const when of ['Wait', 'Hang']) fixture.sandbox.arm({ fault: 'hang', when, times: 2 });
		const start = (...titles: string[]) => fixture.start(parameters, { items: itemsOf(...titles) });
		const isReached = () => fixture.downloads().length === 2 && fixture.struck() === 2;
		await stopWhen(isReached, start('One', 'Wait'), start('Two', 'Hang'));
		const next = await fixture.run(parameters, { items: two });

		expect(hintsOf(next)).toStrictEqual([
			'2 images were kept from a stopped run.',
			expect.stringMatching(
				/^2 requests that were cut off may have been charged: Item 2, &quot;(Wait|Hang)&quot;/,
			),
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('loses no link when two runs with the same request are stopped', async () => {
		fixture.sandbox.arm({ fault: 'download-stall', times: 2 });
		const runs = [1, 2].map(() => fixture.start(parameters, { items: itemsOf('One') }));
		await stopWhen(() => fixture.downloads().length === 2, ...runs);
		const next = await fixture.run(parameters, { items: itemsOf('One') });

		const delivered = next.rows[0]?.json.output_url;
		const other = fixture.charges().find(({ outputUrl }) => outputUrl !== delivered);
		expect(hintsOf(next)).toStrictEqual([KEPT, unasked(other?.outputUrl)]);
	});
});

it('Stop in the second round of a loop leaves what that round finished to the next execution, whose first round asks for something else', async () => {
	fixture.sandbox.arm({ fault: 'hang', when: 'Three' });
	const rounds = { items: itemsOf('One'), rounds: [itemsOf('Two', 'Three')] };
	const isReached = () => fixture.downloads().length === 2 && fixture.struck() === 1;
	await stopWhen(isReached, fixture.start(parameters, rounds));
	const next = await fixture.run(parameters, rounds);

	const charges = fixture.charges();
	expect(charges.map(({ fields }) => fields.text)).toStrictEqual(['One', 'Two', 'One', 'Three']);
	expect(idsOf(next)).toStrictEqual([charges[1]?.jobId, charges[3]?.jobId]);
});

it('Stop while n8n waits between two tries of Retry On Fail leaves the images to a run that starts before the next try, and tells nothing after it', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
	const node = { ...TWO_ATTEMPTS, waitBetweenTries: 1000 };
	const { result, stop } = fixture.start(parameters, { items: two, node });
	await until(() => fixture.calls().length === 2);
	stop();
	const next = await fixture.run(parameters, { items: two });
	await result;
	const later = await fixture.run(parameters, { items: itemsOf('Three') });

	expect(hintsOf(next)?.[0]).toBe(KEPT_AND_BOUGHT);
	expect(hintsOf(later)).toStrictEqual(['1 image was bought.']);
	expect(fixture.charged()).toBe(3);
});

it('Max Images does not count the images of a stopped run, and leaves them to the next run if it refuses this one', async () => {
	const capped = (maxImages: number) => generate({ concurrency: 1, maxImages });
	await stopped(capped(2));
	const tooMany = await fixture.run(capped(1), { items: itemsOf('One', 'Two', 'Three') });
	expect(tooMany.error?.message).toBe("'Max Images' is 1, but 2 images are needed");
	expect(fixture.charged()).toBe(1);

	const next = await fixture.run(capped(1), { items: two });
	expect(next.error).toBeUndefined();
	expect(hintsOf(next)).toStrictEqual([KEPT_AND_BOUGHT, CUT_OFF]);
	expect(fixture.charged()).toBe(2);
});

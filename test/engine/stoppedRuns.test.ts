import { useFixture } from '../support/fixture';
import { processNow } from '../support/remembered';
import { generate, hintsOf, itemsOf, TWO_ATTEMPTS } from '../support/runs';
import { until } from '../support/until';

// What the next run does about the images is in test/guarantees/meetingRuns.test.ts; this is what it says.

const fixture = useFixture({ allowance: 10_000 });
/** In seconds: how long the answer to a request that hangs is awaited. */
const TIMEOUT = 2;
const parameters = generate({ concurrency: 1, timeout: TIMEOUT });
const two = itemsOf('One', 'Two');
type Started = ReturnType<typeof fixture.start>;

const hint = (part = 'no link') => expect.stringContaining(part) as string;
const BOUGHT = hint('1 image was bought');
const KEPT = hint('1 image was kept from an unfinished run');
const CUT_OFF = hint('may have been charged: Item 2, &quot;Two&quot;');

/** Stops runs once they have got this far. */
async function stopWhen(isReached: () => boolean, ...runs: Started[]) {
	await until(isReached);
	for (const { stop, result } of runs) {
		stop();
		await result;
	}
	fixture.sandbox.disarm();
}

/**
 * Stops a production run after it delivered its first image and while the service makes the second.
 * @returns the link of the first
 */
async function stopped(given = parameters) {
	fixture.sandbox.arm({ fault: 'hang', when: 'Two' });
	const run = fixture.start(given, { items: two });
	await stopWhen(() => fixture.downloads().length === 1 && fixture.struck() === 1, run);
	return fixture.charges()[0]?.outputUrl;
}

describe('a stopped production run', () => {
	it('is counted by a Dry Run, which waits for nothing and leaves everything to the next run', async () => {
		await stopped();
		const dryRun = generate({ dryRun: true, concurrency: 1 });
		const dry = await fixture.run(dryRun, { items: two });
		expect(hintsOf(dry)?.at(-1)).toBe(
			'Dry Run, nothing was sent: 1 image would be bought; 1 image kept from an unfinished run; the answers to 1 request of a stopped run are awaited.',
		);

		const next = await fixture.run(parameters, { items: two });
		expect(hintsOf(next)).toStrictEqual([KEPT, CUT_OFF]);
		expect(fixture.charged()).toBe(2);
	});

	it('is mentioned once, by the next run if that run requests something else, as soon as no answer is awaited', async () => {
		const link = await stopped();
		const atOnce = await fixture.run(parameters, { items: itemsOf('Three') });
		expect(hintsOf(atOnce)).toStrictEqual([BOUGHT, hint(link)]);

		await new Promise((resolve) => setTimeout(resolve, TIMEOUT * 1000));
		const next = await fixture.run(parameters, { items: itemsOf('Three') });
		const later = await fixture.run(parameters, { items: itemsOf('Three') });
		expect(hintsOf(next)).toStrictEqual([BOUGHT, CUT_OFF]);
		expect(hintsOf(later)).toStrictEqual([BOUGHT]);
	});

	it('is mentioned by the next run even if that run fails', async () => {
		const link = await stopped();
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { error } = await fixture.run(parameters, { items: itemsOf('Three') });

		expect(error?.description).toContain(link);
	});

	it('leaves its image to the run that asks for it, when an invalid item stops one before, which says what may have been charged', async () => {
		await stopped();
		await until(() => processNow().awaited.size === 0);
		const invalid = await fixture.run(parameters, { items: itemsOf('One', '') });
		expect(invalid.error?.description).toContain('may have been charged: Item 2, "Two"');
		expect(invalid.error?.description).not.toContain('/job-view-file/');

		expect(hintsOf(await fixture.run(parameters, { items: itemsOf('One') }))).toStrictEqual([KEPT]);
	});

	it('loses no link when two runs with the same request are stopped', async () => {
		fixture.sandbox.arm({ fault: 'download-stall', times: 2 });
		const runs = [1, 2].map(() => fixture.start(parameters, { items: itemsOf('One') }));
		await stopWhen(() => fixture.downloads().length === 2, ...runs);
		const next = await fixture.run(parameters, { items: itemsOf('One') });

		const delivered = next.rows[0]?.json.output_url;
		const other = fixture.charges().find(({ outputUrl }) => outputUrl !== delivered);
		expect(hintsOf(next)).toStrictEqual([KEPT, hint(other?.outputUrl)]);
	});
});

it('Stop while a later node runs takes back what the run told of an earlier one, so that the next run tells it', async () => {
	const link = await stopped();
	let stop = () => {};
	const run = fixture.start(parameters, { items: itemsOf('Three'), later: async () => stop() });
	stop = run.stop;
	expect(hintsOf(await run.result)).toContainEqual(hint(link));

	const next = await fixture.run(parameters, { items: itemsOf('Three') });
	const last = await fixture.run(parameters, { items: itemsOf('Three') });
	expect(hintsOf(next)).toContainEqual(hint(link));
	expect(hintsOf(last)).not.toContainEqual(hint(link));
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

	expect(hintsOf(next)?.[0]).toStrictEqual(KEPT);
	expect(hintsOf(later)).toStrictEqual([BOUGHT]);
	expect(fixture.charged()).toBe(3);
});

it('Max Images does not count the images of a stopped run, and leaves them to the next run if it refuses this one', async () => {
	const capped = (maxImages: number) => generate({ concurrency: 1, timeout: TIMEOUT, maxImages });
	await stopped(capped(2));
	const tooMany = await fixture.run(capped(1), { items: itemsOf('One', 'Two', 'Three') });
	expect(tooMany.error?.message).toBe("'Max Images' is 1, but 2 images are needed");
	expect(tooMany.error?.description).toContain('may have been charged: Item 2, "Two"');
	expect(tooMany.error?.description).not.toContain('/job-view-file/');
	expect(fixture.charged()).toBe(1);

	const next = await fixture.run(capped(1), { items: two });
	expect(next.error).toBeUndefined();
	expect(hintsOf(next)).toStrictEqual([KEPT]);
	expect(fixture.charged()).toBe(2);
});

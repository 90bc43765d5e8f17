import type { EngineRun } from '../support/engine';
import { useFixture } from '../support/fixture';
import { CONTINUE, generate, hintsOf, idsOf, itemsOf, TWO_ATTEMPTS } from '../support/runs';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000 });
/** In seconds: how long the answer to a request that hangs is awaited. */
const TIMEOUT = 2;
const parameters = generate({ concurrency: 1, timeout: TIMEOUT });
const two = itemsOf('One', 'Two');
type Started = ReturnType<typeof fixture.start>;

const KEPT = '1 image was kept from an unfinished run.';
const KEPT_AND_BOUGHT = '1 image was bought, 1 image was kept from an unfinished run.';
const CUT_OFF =
	'1 request that was cut off may have been charged: Item 2, &quot;Two&quot;. Check your account.';
const unasked = (link?: string) =>
	`An unfinished run bought an image that this run did not use: ${link}.`;

/** Stops runs once they have got this far. */
async function stopWhen(isReached: () => boolean, ...runs: Started[]) {
	await until(isReached);
	for (const { stop, result } of runs) {
		stop();
		await result;
	}
	fixture.sandbox.disarm();
}

/** Stops a production run after it delivered its first image and while the service makes the second. */
async function stopped(given = parameters) {
	fixture.sandbox.arm({ fault: 'hang', when: 'Two' });
	const run = fixture.start(given, { items: two });
	await stopWhen(() => fixture.downloads().length === 1 && fixture.struck() === 1, run);
	return { ...(await run.result), bought: fixture.charges()[0] };
}

/** The same, and nobody awaits the answer for the second one any more. */
async function stoppedLongAgo(given = parameters) {
	const run = await stopped(given);
	await new Promise((resolve) => setTimeout(resolve, TIMEOUT * 1000 + 200));
	return run;
}

describe('a stopped production run', () => {
	it('has counted its purchases, and leaves them to the next run, which takes them for equal requests', async () => {
		const { bought, run } = await stopped();
		expect(run.status).toBe('canceled');
		expect(run.data.resultData.metadata).toStrictEqual({ imagesPaid: '1' });
		const next = await fixture.run(parameters, { items: two });

		expect(idsOf(next)[0]).toBe(bought?.jobId);
		expect(hintsOf(next)).toStrictEqual([KEPT_AND_BOUGHT, CUT_OFF]);
		expect(fixture.charged()).toBe(2);

		const later = await fixture.run(parameters, { items: two });
		expect(hintsOf(later)).toStrictEqual(['2 images were bought.']);
	});

	it('is counted by a Dry Run, which waits for nothing and leaves everything to the next run', async () => {
		await stopped();
		const dryRun = generate({ dryRun: true, concurrency: 1 });
		const dry = await fixture.run(dryRun, { items: two });
		expect(hintsOf(dry)?.at(-1)).toBe(
			'Dry Run, nothing was sent: 1 image would be bought; 1 image kept from an unfinished run; the answers to 1 request of a stopped run are awaited.',
		);

		const next = await fixture.run(parameters, { items: two });
		expect(hintsOf(next)).toStrictEqual([KEPT_AND_BOUGHT, CUT_OFF]);
		expect(fixture.charged()).toBe(2);
	});

	it('is mentioned once, by the next run if that run requests something else, as soon as no answer is awaited', async () => {
		const { bought } = await stopped();
		const atOnce = await fixture.run(parameters, { items: itemsOf('Three') });
		expect(hintsOf(atOnce)).toStrictEqual(['1 image was bought.', unasked(bought?.outputUrl)]);

		await new Promise((resolve) => setTimeout(resolve, TIMEOUT * 1000));
		const next = await fixture.run(parameters, { items: itemsOf('Three') });
		const later = await fixture.run(parameters, { items: itemsOf('Three') });
		expect(hintsOf(next)).toStrictEqual(['1 image was bought.', CUT_OFF]);
		expect(hintsOf(later)).toStrictEqual(['1 image was bought.']);
	});

	it('is mentioned by the next run even if that run fails', async () => {
		const { bought } = await stopped();
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { error } = await fixture.run(parameters, { items: itemsOf('Three') });

		expect(error?.description).toContain(unasked(bought?.outputUrl));
	});

	it.each([
		['Stop', { onError: 'stopWorkflow' } as const],
		['Continue', CONTINUE],
	])(
		'is mentioned by the last attempt of a run that n8n repeats, with On Error = %s',
		async (_name, onError) => {
			const { bought } = await stopped();
			fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
			const node = { ...TWO_ATTEMPTS, ...onError };
			const next = await fixture.run(parameters, { items: itemsOf('Three'), node });

			expect(next.error).toBeUndefined();
			expect(hintsOf(next)).toContain(unasked(bought?.outputUrl));
			expect(fixture.calls()).toHaveLength(4);
		},
	);

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

it('Stop in the second round of a loop leaves what both rounds finished to the next execution', async () => {
	fixture.sandbox.arm({ fault: 'hang', when: 'Three' });
	const rounds = { items: itemsOf('One'), rounds: [itemsOf('Two', 'Three')] };
	const isReached = () => fixture.downloads().length === 2 && fixture.struck() === 1;
	await stopWhen(isReached, fixture.start(parameters, rounds));
	const next = await fixture.run(parameters, rounds);

	const charges = fixture.charges();
	expect(charges.map(({ fields }) => fields.text)).toStrictEqual(['One', 'Two', 'Three']);
	expect(idsOf(next)).toStrictEqual(charges.slice(1).map(({ jobId }) => jobId));
});

describe('Stop while a later node runs', () => {
	/** A run whose later node waits until it may end. */
	function holding(given: Partial<EngineRun> = {}) {
		let release = () => {};
		let isHeld = false;
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const later = async () => {
			isHeld = true;
			await held;
		};
		const run = fixture.start(parameters, { items: two, later, ...given });
		return { ...run, release: () => release(), isHeld: () => isHeld };
	}

	it('leaves the images to the next execution, once', async () => {
		const { result, stop, release, isHeld } = holding();
		await until(isHeld);
		stop();
		release();
		expect((await result).run.status).toBe('canceled');
		const next = await fixture.run(parameters, { items: two });
		expect(hintsOf(next)).toStrictEqual(['2 images were kept from an unfinished run.']);
		expect(idsOf(next)).toStrictEqual(fixture.charges().map(({ jobId }) => jobId));

		await fixture.run(parameters, { items: two });
		expect(fixture.charged()).toBe(4);
	});

	it('leaves them at once, even if the later node goes on', async () => {
		const { result, stop, release, isHeld } = holding();
		await until(isHeld);
		stop();
		const next = await fixture.run(parameters, { items: two });
		release();
		await result;

		expect(hintsOf(next)).toStrictEqual(['2 images were kept from an unfinished run.']);
	});

	it('leaves what all rounds of a loop bought', async () => {
		const { result, stop, release, isHeld } = holding({ rounds: [itemsOf('Three')] });
		await until(isHeld);
		stop();
		release();
		await result;
		const charged = fixture.charged();
		const next = await fixture.run(parameters, { items: itemsOf('One', 'Two', 'Three') });

		expect(hintsOf(next)?.[0]).toContain(`${charged} images were kept from an unfinished run.`);
		expect(fixture.charged()).toBe(3);
	});

	it('takes back what the run told of an earlier one, so that the next run tells it', async () => {
		const { bought } = await stopped();
		const { result, stop, release, isHeld } = holding({ items: itemsOf('Three') });
		await until(isHeld);
		stop();
		release();
		expect(hintsOf(await result)).toContain(unasked(bought?.outputUrl));

		const next = await fixture.run(parameters, { items: itemsOf('Three') });
		const later = await fixture.run(parameters, { items: itemsOf('Three') });
		expect(hintsOf(next)).toContain(unasked(bought?.outputUrl));
		expect(hintsOf(later)).not.toContain(unasked(bought?.outputUrl));
	});

	it('leaves nothing of an execution that went on and ended', async () => {
		const { result, release, isHeld } = holding();
		await until(isHeld);
		const meanwhile = await fixture.run(parameters, { items: two });
		release();
		expect((await result).run.status).toBe('success');
		await fixture.run(parameters, { items: two });

		expect(hintsOf(meanwhile)).toStrictEqual(['2 images were bought.']);
		expect(fixture.charged()).toBe(6);
	});
});

describe('an execution that failed', () => {
	const later = async () => await Promise.reject(new Error('The sheet is away'));

	it.each([
		['in this node', undefined],
		['in a later node', later],
	])('%s leaves its images to the next run, once', async (_where, fails) => {
		if (fails === undefined) fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const first = await fixture.run(parameters, {
			items: two,
			...(fails && { later: fails }),
		});
		expect(first.run.status).toBe('error');
		const bought = fixture.charges().map(({ jobId }) => jobId);
		const next = await fixture.run(parameters, { items: two });
		expect(idsOf(next)).toStrictEqual(expect.arrayContaining(bought));
		expect(fixture.charged()).toBe(2);

		const after = await fixture.run(parameters, { items: two });
		expect(hintsOf(after)).toStrictEqual(['2 images were bought.']);
	});

	it('leaves its images to Retry as well, which has them in its own data', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const failed = await fixture.run(parameters, { items: two });
		await fixture.run(parameters, { items: two });
		const retry = await fixture.retry(failed, parameters, { items: two });

		expect(hintsOf(retry)).toStrictEqual([
			'1 image was bought, 1 image was kept from an earlier attempt.',
		]);
		expect(idsOf(retry)[0]).toBe(fixture.charges()[0]?.jobId);
		expect(fixture.charged()).toBe(3);
	});

	it('that n8n does not save leaves the images of this node’s failed run alone', async () => {
		await fixture.run(parameters, { items: itemsOf('One'), later, isSaved: false });
		const next = await fixture.run(parameters, { items: itemsOf('One') });

		expect(hintsOf(next)).toStrictEqual(['1 image was bought.']);
	});
});

it('what ended well is bought again by the next run, as each schedule wants its own', async () => {
	for (let count = 0; count < 2; count++) await fixture.run(parameters, { items: two });

	expect(fixture.charged()).toBe(4);
});

describe('an image whose link is gone', () => {
	const GONE = 'The service no longer has an image of an earlier run.';

	it('is bought again, once, if a stopped run left it', async () => {
		await stoppedLongAgo();
		fixture.sandbox.arm({ fault: 'download-404' });
		const next = await fixture.run(parameters, { items: itemsOf('One') });

		expect(next.error).toBeUndefined();
		expect(hintsOf(next)).toStrictEqual([`1 image was bought. ${GONE}`, CUT_OFF]);
		expect(fixture.charged()).toBe(2);
		const later = await fixture.run(parameters, { items: itemsOf('One') });
		expect(hintsOf(later)).toStrictEqual(['1 image was bought.']);
	});

	it('is bought again by Retry of the execution that bought it', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const failed = await fixture.run(parameters, { items: two });
		fixture.sandbox.arm({ fault: 'download-500', status: 410 });
		const retry = await fixture.retry(failed, parameters, { items: two });

		expect(retry.error).toBeUndefined();
		expect(hintsOf(retry)).toStrictEqual([`2 images were bought. ${GONE}`]);
		expect(fixture.charged()).toBe(3);
	});

	it('is not bought twice by the execution that paid for it, whose message says so', async () => {
		fixture.sandbox.arm({ fault: 'download-404', times: 2 });
		const { error } = await fixture.run(parameters, {
			items: itemsOf('One'),
			node: { ...TWO_ATTEMPTS, onError: 'stopWorkflow' },
		});

		expect(error?.message).toContain('This file is gone.');
		expect(fixture.downloads()).toHaveLength(2);
		expect(fixture.charged()).toBe(1);
	});
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
	const capped = (maxImages: number) => generate({ concurrency: 1, timeout: TIMEOUT, maxImages });
	await stopped(capped(2));
	const tooMany = await fixture.run(capped(1), { items: itemsOf('One', 'Two', 'Three') });
	expect(tooMany.error?.message).toBe("'Max Images' is 1, but 2 images are needed");
	expect(fixture.charged()).toBe(1);

	const next = await fixture.run(capped(1), { items: two });
	expect(next.error).toBeUndefined();
	expect(hintsOf(next)).toStrictEqual([KEPT_AND_BOUGHT, CUT_OFF]);
	expect(fixture.charged()).toBe(2);
});

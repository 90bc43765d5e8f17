import { getEventListeners } from 'node:events';

import type { INodeExecutionData } from 'n8n-workflow';

import { storeOther } from '../support/additionalData';
import { useFixture } from '../support/fixture';
import { forgetPurchases, processNow } from '../support/remembered';
import {
	allHintsOf,
	FORGETS,
	fox,
	generate,
	hintsOf,
	idsOf,
	itemsOf,
	namesOf,
	removeBackground,
} from '../support/runs';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000, apiKey: ['test-key', 'another-key'] });
const three = itemsOf('One', 'Two', 'Three');
const always = generate({ reuse: 'always' });
const jobIds = () => fixture.charges().map(({ jobId }) => jobId);
const settled = async () => {
	await until(() => processNow().awaited.size === 0);
};

/** Stops a run while the service makes its images, which takes so many milliseconds more. */
async function stopInTheMiddle(delayMs: number, parameters = generate(), items = three) {
	const before = fixture.charged();
	fixture.sandbox.arm({ fault: 'delay-after', delayMs, times: items.length });
	const { result, stop } = fixture.start(parameters, { items });
	await until(() => fixture.charged() === before + items.length);
	stop();
	return await result;
}

describe('Stop while three images are being made', () => {
	it('ends the run at once, and the next run waits for the answers and has them all', async () => {
		const { run } = await stopInTheMiddle(1500);
		expect(run.status).toBe('canceled');
		expect(processNow().awaited.size).toBe(3);
		const next = await fixture.run(generate(), { items: three });

		expect(new Set(idsOf(next))).toStrictEqual(new Set(jobIds()));
		expect(hintsOf(next)).toStrictEqual(['3 images were kept from an unfinished run.']);
		expect(fixture.charged()).toBe(3);
	});

	it('costs nothing more in the editor: the next click has them as well', async () => {
		await stopInTheMiddle(1000);
		const next = await fixture.run(generate(), { items: three, mode: 'manual' });

		expect(new Set(idsOf(next))).toStrictEqual(new Set(jobIds()));
		expect(fixture.charged()).toBe(3);
	});

	it.each([1000, 0])(
		'leaves the cut-out of a photo to no other photo that begins alike, whether it is awaited or not (%d ms)',
		async (delayMs) => {
			const photo = async (trailer: string): Promise<INodeExecutionData> => ({
				json: {},
				binary: { data: await fixture.file('photo.jpg', trailer) },
			});
			await stopInTheMiddle(delayMs, removeBackground(), [await photo('a')]);
			if (delayMs === 0) await settled();
			const next = await fixture.run(removeBackground(), {
				items: [await photo('b'), await photo('a')],
			});

			expect(fixture.charged()).toBe(2);
			expect(idsOf(next)).toStrictEqual(jobIds().reverse());
		},
	);

	it('sends nothing more: what has not begun is bought by the next run', async () => {
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 500, times: 1 });
		const parameters = generate({ concurrency: 1 });
		const { result, stop } = fixture.start(parameters, { items: three });
		await until(() => fixture.charged() === 1);
		stop();
		await result;
		await settled();
		expect(fixture.calls()).toHaveLength(1);

		const next = await fixture.run(parameters, { items: three });
		expect(hintsOf(next)).toStrictEqual([
			'2 images were bought, 1 image was kept from an unfinished run.',
		]);
		expect(fixture.charged()).toBe(3);
	});

	it('leaves to the next run nothing that turns out to be free', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 402, delayMs: 500, when: 'Broke' });
		const { result, stop } = fixture.start(generate(), { items: itemsOf('Broke') });
		await until(() => fixture.struck() === 1);
		stop();
		await result;
		const next = await fixture.run(generate(), { items: itemsOf('Broke') });

		expect(hintsOf(next)).toStrictEqual(['1 image was bought.']);
		expect(fixture.charged()).toBe(1);
	});

	it('leaves no timer, no socket and no listener behind once the answers have come', async () => {
		const open = () =>
			process
				.getActiveResourcesInfo()
				.filter((each) => each === 'Timeout' || each === 'TCPSocketWrap').length;
		const listeners = jest.spyOn(AbortSignal.prototype, 'addEventListener');
		await fixture.run(generate(), { items: itemsOf('Before') });
		const before = open();
		await stopInTheMiddle(500);
		const signals = listeners.mock.contexts as AbortSignal[];
		await settled();
		await until(() => open() <= before);

		const waiting = signals.filter(
			(signal) => !signal.aborted && getEventListeners(signal, 'abort').length > 1,
		);
		expect(waiting).toStrictEqual([]);
		listeners.mockRestore();
	});
});

describe('a sub-workflow whose caller is stopped, of which n8n tells it nothing,', () => {
	const parameters = generate({ concurrency: 1 });
	const called = (caller: string) => ({ items: three, mode: 'integrated', caller }) as const;

	it('sends no further request, and leaves what it has to the next run', async () => {
		storeOther('caller');
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 2500, when: 'One' });
		const { result } = fixture.start(parameters, called('caller'));
		await until(() => fixture.charged() === 1);
		storeOther('caller', 'The execution was cancelled manually');
		expect((await result).error).toBeDefined();
		expect(fixture.calls()).toHaveLength(1);

		storeOther('again');
		const next = await fixture.run(parameters, called('again'));
		expect(next.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
	});

	it('goes on as long as its caller does', async () => {
		storeOther('well');
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 2500, when: 'One' });
		const { error } = await fixture.run(parameters, called('well'));

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
	});
});

describe('with Always,', () => {
	it('a webhook that is delivered twice costs one image', async () => {
		const items = itemsOf('Twice');
		const runs = [1, 2].map(async () => await fixture.run(always, { items }));
		const [first, second] = await Promise.all(runs);

		expect(fixture.charged()).toBe(1);
		expect(first?.error ?? second?.error).toBeUndefined();
		expect(second && idsOf(second)).toStrictEqual(jobIds());
	});

	it('a schedule that fires while the last run is at work buys only what that one does not', async () => {
		const titles = Array.from({ length: 20 }, (_, index) => `Image ${index}`);
		const [one, other] = [titles, titles.toReversed()].map(
			async (order) => await fixture.run(always, { items: itemsOf(...order, 'Same') }),
		);
		await Promise.all([one, other]);

		expect(fixture.charged()).toBe(21);
	});

	it('who waits for another run buys its own if that one gets nothing for free', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, delayMs: 300, times: 1 });
		const items = itemsOf('Refused');
		const first = fixture.start(always, { items });
		await until(() => fixture.calls().length === 1);
		const second = await fixture.run(always, { items });

		expect((await first.result).error).toBeDefined();
		expect(second.error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it('who waits for another run ends at once by Stop', async () => {
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 2000 });
		const items = itemsOf('Slow');
		const first = fixture.start(always, { items });
		await until(() => fixture.charged() === 1);
		const second = fixture.start(always, { items });
		await new Promise((resolve) => setTimeout(resolve, 200));
		second.stop();
		expect((await second.result).run.status).toBe('canceled');
		await first.result;

		expect(fixture.charged()).toBe(1);
	});
});

it('without Always, two runs that meet buy their own images', async () => {
	const items = itemsOf('Own');
	await Promise.all([1, 2].map(async () => await fixture.run(generate(), { items })));

	expect(fixture.charged()).toBe(2);
});

describe('five variants of a product with one photo', () => {
	const variants = async () =>
		await Promise.all(
			['red', 'green', 'blue', 'black', 'white'].map(
				async (color) => await fixture.photo(`shirt-${color}.jpg`),
			),
		);

	it('are one purchase of Remove Background, and five rows with files and names of their own', async () => {
		const { rows, error } = await fixture.run(removeBackground(), { items: await variants() });

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
		expect(new Set(rows.map(({ json }) => json.id)).size).toBe(1);
		expect(namesOf(rows)).toStrictEqual(
			['red', 'green', 'blue', 'black', 'white'].map((color) => `shirt-${color}-no-background.png`),
		);
		expect(new Set(rows.map(({ binary }) => binary?.data?.id)).size).toBe(5);
		expect(rows.map(({ pairedItem }) => pairedItem)).toStrictEqual(
			rows.map((_, item) => ({ item })),
		);
	});

	it('count once for Dry Run and Max Images, and once in all rounds of a loop', async () => {
		const items = await variants();
		const dry = await fixture.run(removeBackground({ options: { dryRun: true } }), { items });
		expect(hintsOf(dry)?.at(-1)).toContain('1 image would be bought');
		expect(dry.rows).toHaveLength(5);

		const capped = removeBackground({ options: { maxImages: 1 } });
		const { error } = await fixture.run(capped, { items, rounds: [items, items] });
		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it('share a refusal and an unclear outcome, which is not asked for again', async () => {
		fixture.sandbox.arm({ fault: 'close-after', times: 9 });
		const node = { onError: 'continueRegularOutput' } as const;
		const { rows } = await fixture.run(removeBackground(), { items: await variants(), node });

		expect(fixture.calls()).toHaveLength(1);
		expect(rows.map(({ json }) => json.error !== undefined)).toStrictEqual(Array(5).fill(true));
	});

	it('are five purchases of Edit, which may give something new each time', async () => {
		const edit = { operation: 'edit', prompt: 'Blur it' };
		await fixture.run(edit, { items: await variants() });

		expect(fixture.charged()).toBe(5);
	});
});

it('n8n’s Evaluations, which run each row of a table as an execution, cost nothing the second time', async () => {
	for (let time = 0; time < 2; time++) {
		for (const item of three) {
			await fixture.run(generate(), { items: [item], mode: 'evaluation' });
		}
	}

	expect(fixture.charged()).toBe(3);
});

describe('what is the same request', () => {
	const url = () => fixture.sandbox.url.replace('127.0.0.1', 'localhost');
	const credentials = (id: string) => ({ imageGenerationApi: { id, name: 'Sandbox' } });
	const same = [
		['a duplicated node', () => ({ node: { id: 'a copy' } })],
		[
			'a new key in the credential',
			() => ({ credential: { baseUrl: url(), apiKey: 'another-key' } }),
		],
		['another credential with the same key', () => ({ node: { credentials: credentials('2') } })],
		[
			'the host in capitals',
			() => ({ credential: { baseUrl: url().toUpperCase(), apiKey: 'test-key' } }),
		],
	] as const;

	it.each(
		same.flatMap(([change, what]) => [
			[change, 'a second click', 'manual', fox(), what] as const,
			[change, 'a second run with Always', 'trigger', fox({ reuse: 'always' }), what] as const,
		]),
	)('%s costs nothing in %s', async (_change, _how, mode, parameters, what) => {
		const credential = { baseUrl: url(), apiKey: 'test-key' };
		const first = await fixture.run(parameters, { credential, mode });
		const second = await fixture.run(parameters, { credential, mode, ...what() });

		expect(second.error).toBeUndefined();
		expect(idsOf(second)).toStrictEqual(idsOf(first));
		expect(fixture.charged()).toBe(1);
	});

	it('another key in another credential is another account', async () => {
		const first = await fixture.run(fox(), { mode: 'manual' });
		const second = await fixture.run(fox(), {
			mode: 'manual',
			credential: { ...fixture.credential, apiKey: 'another-key' },
			node: { credentials: credentials('2') },
		});

		expect(second.error).toBeUndefined();
		expect(idsOf(second)).not.toStrictEqual(idsOf(first));
	});

	it('is forgotten when n8n restarts without a Purchase Log, and the first purchase of a node says so', async () => {
		const hints = [];
		for (const mode of ['manual', 'manual'] as const) {
			hints.push(allHintsOf(await fixture.run(fox(), { mode }))?.includes(FORGETS));
			hints.push(
				allHintsOf(await fixture.run(fox({ reuse: 'never' }), { mode }))?.includes(FORGETS),
			);
			forgetPurchases();
		}

		expect(hints).toStrictEqual([true, false, true, false]);
		expect(fixture.charged()).toBe(4);
	});
});

import { getEventListeners } from 'node:events';

import type { INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { forgetPurchases, processNow } from '../support/remembered';
import {
	allHintsOf,
	CONTINUE,
	FORGETS,
	fox,
	generate,
	hintsOf,
	idsOf,
	itemsOf,
	namesOf,
	removeBackground,
	TWO_ATTEMPTS,
} from '../support/runs';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000, apiKey: ['test-key', 'another-key'] });
const three = itemsOf('One', 'Two', 'Three');
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

describe('Stop while images are being made', () => {
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

	it('share a refusal, whose message names the first and counts the others, and which is asked for again once for all', async () => {
		const items = await variants();
		fixture.sandbox.arm({ fault: 'status', status: 400, times: 2 });
		const { error } = await fixture.run(removeBackground(), { items });
		expect(error?.message).toMatch(/^Item 1, "shirt-red.jpg" and 4 equal items: /);

		const repeated = await fixture.run(removeBackground(), { items, node: TWO_ATTEMPTS });
		expect(repeated.rows).toHaveLength(5);
		expect(fixture.calls()).toHaveLength(3);
		expect(fixture.charged()).toBe(1);
	});

	it('share an unclear outcome, which is not asked for again', async () => {
		fixture.sandbox.arm({ fault: 'close-after', times: 9 });
		const { rows } = await fixture.run(removeBackground(), {
			items: await variants(),
			node: CONTINUE,
		});

		expect(fixture.calls()).toHaveLength(1);
		expect(rows.map(({ json }) => json.error !== undefined)).toStrictEqual(Array(5).fill(true));
	});

	it('are five purchases of Edit, which may give something new each time', async () => {
		const edit = { operation: 'edit', prompt: 'Blur it' };
		await fixture.run(edit, { items: await variants() });

		expect(fixture.charged()).toBe(5);
	});
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

import { NodeOperationError, type INode } from 'n8n-workflow';

import type { EngineRun } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import { N8nTables } from '../../support/n8nTables';
import { forgetPurchases } from '../../support/remembered';
import {
	allHintsOf,
	AS_TOOL,
	FORGETS,
	fox,
	generate,
	hintsOf,
	idsOf,
	itemsOf,
	namesOf,
	removeBackground,
} from '../../support/runs';
import { until } from '../../support/until';

const fixture = useFixture({ allowance: 10_000, apiKey: ['test-key', 'another-key'] });
const jobIds = () => fixture.charges().map(({ jobId }) => jobId);
const click = async (parameters = generate(), what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { items: itemsOf('An owl'), ...what, mode: 'manual' });
const publish = async (parameters = generate(), what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { items: itemsOf('An owl'), ...what });

/** A node behind this one fails. */
const fails = { later: async () => await Promise.reject(new Error('The sheet is away')) };
/** A node behind this one rejects the picture. */
const rejects = {
	later: async () => {
		const node = { name: 'Stop', type: 'n8n-nodes-base.stopAndError' } as INode;
		await Promise.reject(new NodeOperationError(node, 'Not that owl'));
	},
};

/** What a hint says of one image that is used again. */
const USED_AGAIN = expect.stringMatching(
	/^1 image is used again \(bought today at .*\) and cost nothing\. .*'Reuse Images' to 'Never'/,
) as string;

describe('in the editor, the same request again', () => {
	it('costs nothing and is the same picture, and a hint says how to get another one', async () => {
		const first = await click();
		const second = await click();

		expect(fixture.charged()).toBe(1);
		expect(hintsOf(first)).toStrictEqual(['1 image was bought.']);
		expect(idsOf(second)).toStrictEqual(idsOf(first));
		expect(namesOf(second.rows)).toStrictEqual(namesOf(first.rows));
		expect(hintsOf(second)).toStrictEqual([USED_AGAIN]);
	});

	it('says when the image was bought by the clock of the workflow', async () => {
		const settings = { timezone: 'Pacific/Kiritimati' };
		await click();
		const [hint = ''] = hintsOf(await click(generate(), { settings })) ?? [];
		const timeIn = (age: number) =>
			new Date(Date.now() + 14 * 3_600_000 - age).toISOString().slice(11, 16);

		// It may have been the minute before.
		expect([timeIn(0), timeIn(60_000)]).toContain(/ at (\d\d:\d\d)\)/.exec(hint)?.[1]);
	});

	it('is the picture of a published run that is over', async () => {
		await publish();
		const clicked = await click();

		expect(idsOf(clicked)).toStrictEqual(jobIds());
		expect(fixture.charged()).toBe(1);
	});

	it('keeps each of several images at its place, and buys only those that are missing', async () => {
		const first = await click(generate({ numberOfImages: 2 }));
		const second = await click(generate({ numberOfImages: 3 }));

		expect(idsOf(second).slice(0, 2)).toStrictEqual(idsOf(first));
		expect(new Set(idsOf(second)).size).toBe(3);
		expect(fixture.charged()).toBe(3);
	});

	it('gives each round of a loop its own image, and the same ones to the next loop', async () => {
		const rounds = [itemsOf('An owl'), itemsOf('An owl')];
		await click(generate(), { rounds });
		expect(fixture.charged()).toBe(3);

		await click(generate(), { rounds });
		expect(fixture.charged()).toBe(3);
	});

	it.each([
		['with Never', generate({ reuse: 'never' }), {}],
		['with another prompt', generate(), { items: itemsOf('A bee') }],
		['by an agent', generate(), { node: AS_TOOL }],
	])('buys another picture %s', async (_how, parameters, what) => {
		await click();
		const second = await click(parameters, what);

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(second)).toStrictEqual(['1 image was bought.']);
	});

	it('buys another picture each time with Never', async () => {
		for (let count = 0; count < 3; count++) await click(generate({ reuse: 'never' }));

		expect(fixture.charged()).toBe(3);
	});
});

describe('without the option, a published run', () => {
	it('buys another picture after one that ended well', async () => {
		await publish();
		const second = await publish();

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(second)).toStrictEqual(['1 image was bought.']);
	});

	it('buys another picture after one that was tried out in the editor', async () => {
		await click(generate(), fails);
		await publish();

		expect(fixture.charged()).toBe(2);
	});

	it('has the picture of one whose later node failed, once', async () => {
		await publish(generate(), fails);
		const second = await publish();
		const third = await publish();

		expect(idsOf(second)).toStrictEqual([jobIds()[0]]);
		expect(hintsOf(second)).toStrictEqual([USED_AGAIN]);
		expect(idsOf(third)).toStrictEqual([jobIds()[1]]);
		expect(fixture.charged()).toBe(2);
	});

	it('buys another picture for a fixed prompt if a later node failed, because a schedule wants another one each time', async () => {
		await publish(fox(), fails);
		await publish(fox());

		expect(fixture.charged()).toBe(2);
	});

	it('has the picture of a fixed prompt that nobody got, because the node failed', async () => {
		fixture.sandbox.arm({ fault: 'download-500', times: 9 });
		const first = await publish(fox());
		expect(first.error).toBeDefined();
		fixture.sandbox.disarm();
		const second = await publish(fox());

		expect(idsOf(second)).toStrictEqual(jobIds());
		expect(fixture.charged()).toBe(1);
	});

	it('buys another picture if Stop And Error has rejected the one before', async () => {
		const { run } = await publish(generate(), rejects);
		expect(run.data.resultData.error).toMatchObject({
			node: { type: 'n8n-nodes-base.stopAndError' },
		});
		await publish();

		expect(fixture.charged()).toBe(2);
	});

	it('has the cut-out of the same photo from any earlier run, because it can give nothing new', async () => {
		const items = [await fixture.photo()];
		await fixture.run(removeBackground(), { items });
		const again = await fixture.run(removeBackground(), { items, node: { id: 'other' } });

		expect(idsOf(again)).toStrictEqual(jobIds());
		expect(fixture.charged()).toBe(1);
	});
});

describe('with Never, a published run', () => {
	const never = generate({ reuse: 'never' });

	it('buys another picture even if a later node failed', async () => {
		await publish(never, fails);
		await publish(never);

		expect(fixture.charged()).toBe(2);
	});

	it('has the picture that nobody has seen, because the run that bought it failed in this node', async () => {
		const items = itemsOf('An owl', 'A bee');
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'A bee' });
		const first = await publish(generate({ reuse: 'never', concurrency: 1 }), { items });
		expect(first.error).toBeDefined();
		const second = await publish(never);

		expect(idsOf(second)).toStrictEqual(jobIds());
		expect(fixture.charged()).toBe(1);
	});

	it('has the picture that nobody has seen, because the run that bought it was stopped', async () => {
		fixture.sandbox.arm({ fault: 'download-stall' });
		const stopped = fixture.start(never, { items: itemsOf('An owl') });
		await until(() => fixture.downloads().length === 1);
		stopped.stop();
		await stopped.result;
		const second = await publish(never);

		expect(idsOf(second)).toStrictEqual(jobIds());
		expect(fixture.charged()).toBe(1);
	});
});

describe('what is the same request', () => {
	const url = () => fixture.sandbox.url.replace('127.0.0.1', 'localhost');
	const credentials = (id: string) => ({ imageGenerationApi: { id, name: 'Sandbox' } });
	const same = [
		['a duplicated node', () => ({ node: { id: 'a copy' } })],
		['a new key', () => ({ credential: { baseUrl: url(), apiKey: 'another-key' } })],
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

	it('another key in another credential is another account, whose images are not used', async () => {
		await click(fox());
		const second = await click(fox(), {
			credential: { ...fixture.credential, apiKey: 'another-key' },
			node: { credentials: credentials('2') },
		});

		expect(second.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});

	it('another service has images of its own, also in the same Purchase Log', async () => {
		const parameters = fox({ reuse: 'always', purchaseLog: 'Images' });
		const tables = new N8nTables();
		await publish(parameters, { tables });
		const second = await publish(parameters, {
			tables,
			credential: { ...fixture.credential, baseUrl: url() },
		});

		expect(second.error).toBeUndefined();
		expect(idsOf(second)).toStrictEqual([jobIds()[1]]);
		expect(fixture.charged()).toBe(2);
	});

	it('is forgotten when n8n restarts without a Purchase Log, and the first purchase of a node says so', async () => {
		const saysSo = [];
		for (let start = 0; start < 2; start++) {
			for (const given of [fox(), fox({ reuse: 'never' })]) {
				saysSo.push(allHintsOf(await click(given))?.includes(FORGETS));
			}
			forgetPurchases();
		}

		expect(saysSo).toStrictEqual([true, false, true, false]);
		expect(fixture.charged()).toBe(4);
	});
});

describe('with Always', () => {
	const always = generate({ reuse: 'always', concurrency: 1 });

	it('a run that asks for what another one is just buying has that image, and says so', async () => {
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 300 });
		const first = fixture.start(always, { items: itemsOf('An owl') });
		await until(() => fixture.calls().length === 1);
		const second = await publish(always);

		expect(idsOf(second)).toStrictEqual(idsOf(await first.result));
		expect(hintsOf(second)).toStrictEqual([USED_AGAIN]);
		expect(fixture.charged()).toBe(1);
	});

	it('a job that waits for the request of another run holds up no other', async () => {
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 3000, when: 'An owl' });
		const first = fixture.start(always, { items: itemsOf('An owl') });
		await until(() => fixture.calls().length === 1);
		const second = fixture.start(always, { items: itemsOf('An owl', 'A bee', 'A cat') });
		await until(() => fixture.downloads().length === 2);
		const answered = fixture.calls().filter(({ status }) => status !== null).length;

		// Those of the second run, while the first one's is still out.
		expect(answered).toBe(2);
		const { rows } = await second.result;
		await first.result;
		expect(rows.map(({ json }) => json.id)).toHaveLength(3);
		expect(fixture.charged()).toBe(3);
	});
});

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
} from '../../support/runs';

const fixture = useFixture({ allowance: 10_000, apiKey: ['test-key', 'another-key'] });
const click = async (parameters = generate(), what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { items: itemsOf('An owl'), ...what, mode: 'manual' });
const publish = async (parameters = generate(), what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { items: itemsOf('An owl'), ...what });

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

	it('another service, such as the sandbox, has other images, even with Always and a Purchase Log', async () => {
		const logged = fox({ reuse: 'always', purchaseLog: 'Images' });
		const tables = new N8nTables();
		await publish(logged, { tables });
		const second = await publish(logged, {
			tables,
			credential: { baseUrl: url(), apiKey: 'test-key' },
		});

		expect(second.error).toBeUndefined();
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

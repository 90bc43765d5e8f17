import type { INodeParameters } from 'n8n-workflow';

import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import {
	generate,
	hintsOf,
	idsOf,
	IN_ORDER,
	itemsOf,
	storedIn,
	TWO_ATTEMPTS,
} from '../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const parameters = generate(IN_ORDER);
const items = itemsOf('One', 'Two', 'Three', 'Four', 'Five');

/** An execution that was rejected once at an item, by default after three images. */
async function failedAt(when = 'Four', given = parameters, all = items): Promise<EngineResult> {
	fixture.sandbox.arm({ fault: 'status', status: 400, when });
	const failed = await fixture.run(given, { items: all });
	expect(failed.error?.httpCode).toBe('400');
	return failed;
}

describe('Retry in the list of executions', () => {
	it.each([true, false])(
		'buys all of it from the service that the credential was switched to, Image as File: %s',
		async (download) => {
			const given = { ...parameters, download };
			const failed = await failedAt('Four', given);
			const baseUrl = fixture.sandbox.url.replace('127.0.0.1', 'localhost');
			const again = await fixture.retry(failed, given, {
				items,
				credential: { ...fixture.credential, baseUrl },
			});

			expect(again.error).toBeUndefined();
			expect(fixture.charged()).toBe(3 + 5);
		},
	);

	it('takes over what was bought, buys only the rest and says so, and leaves no stored jobs', async () => {
		const failed = await failedAt();
		const bought = fixture.charges().map(({ jobId }) => jobId);
		expect(storedIn(failed).match(/output_url/g)).toHaveLength(3);
		expect(storedIn(failed)).not.toContain('test-key');
		const again = await fixture.retry(failed, parameters, { items });

		expect(fixture.calls().map(({ fields }) => fields.text)).toStrictEqual([
			'One',
			'Two',
			'Three',
			'Four',
			'Four',
			'Five',
		]);
		expect(fixture.charged()).toBe(5);
		expect(idsOf(again).slice(0, 3)).toStrictEqual(bought);
		expect(again.rows.map(({ pairedItem }) => pairedItem)).toStrictEqual(
			items.map((_, item) => ({ item })),
		);
		expect(again.rows.every(({ binary }) => binary?.data !== undefined)).toBe(true);
		expect(hintsOf(again)).toStrictEqual([
			'2 images were bought, 3 images were kept from an earlier attempt.',
		]);
		expect(storedIn(again)).not.toContain('output_url');
	});

	it.each<[what: string, values: INodeParameters, options: INodeParameters, charged: number]>([
		['nothing', {}, {}, 2],
		['Timeout', {}, { timeout: 700 }, 2],
		['Max Images', {}, { maxImages: 50 }, 2],
		['File Name', {}, { fileName: 'fox' }, 2],
		['Download', { download: false }, {}, 2],
		['a field of another operation', { size: 'wide' }, {}, 2],
		['Number of Images', {}, { numberOfImages: 2 }, 4],
		['the instruction', { prompt: '=Rotate it {{ $now.toMillis() }}' }, {}, 3],
		['the quality', { version: 'genius' }, {}, 3],
		['an additional field', {}, { additionalFields: { field: [{ name: 'seed', value: '1' }] } }, 3],
		['the image', { binaryPropertyName: 'other' }, {}, 3],
	])(
		'buys again what somebody has written differently in %s, and nothing because the time has passed, as in Retry On Fail',
		async (_what, values, options, charged) => {
			const edit = (
				changed: INodeParameters = {},
				more: INodeParameters = {},
			): INodeParameters => ({
				operation: 'edit',
				prompt: '=Blur it {{ $now.toMillis() }}',
				...changed,
				options: { ...IN_ORDER, ...more },
			});
			const photo = async (name: string) => ({
				json: {},
				binary: { data: await fixture.gif(name), other: await fixture.gif(`other ${name}`) },
			});
			const photos = [await photo('one'), await photo('two')];
			fixture.sandbox.arm({ fault: 'status', status: 400, after: 1, times: 2 });
			const what = { items: photos, node: TWO_ATTEMPTS };
			const failed = await fixture.run(edit(), what);
			expect(failed.error?.httpCode).toBe('400');
			expect(fixture.charged()).toBe(1);
			const again = await fixture.retry(failed, edit(values, options), what);

			expect(again.error).toBeUndefined();
			expect(fixture.charged()).toBe(charged);
		},
	);

	it('lists what was bought if an item has become invalid, before it sends anything', async () => {
		const failed = await failedAt();
		const timeout = '={{ $json.title === "Five" ? 0 : 60 }}';
		const { error } = await fixture.retry(failed, generate({ ...IN_ORDER, timeout }), { items });

		expect(error?.message).toMatch(/^Item 5: .* \(3 finished images, listed below\)$/);
		for (const link of fixture.links()) expect(error?.description).toContain(link);
		expect(fixture.charged()).toBe(3);
	});
});

it('a remembered image takes less than 1,000 bytes of the execution’s data', async () => {
	// The sandbox's links have about 110 characters.
	expect(storedIn(await failedAt()).length / 3).toBeLessThan(1000);
});

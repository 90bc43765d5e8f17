import type { IBinaryData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { openGate } from '../support/gate';
import { gif, sha256 } from '../support/gifs';
import { logSoFar } from '../support/n8nLog';
import { until } from '../support/until';

const fixture = useFixture({ echoImages: true, allowance: 10_000 });

/** An item with this many different images. */
async function itemWith(count: number) {
	const binary: Record<string, IBinaryData> = {};
	for (let index = 0; index < count; index++) {
		const name = `photo_${index}`;
		binary[name] = await fixture.engine.store(gif(name), `${name}.gif`, 'image/gif');
	}
	return { json: {}, binary };
}
const all = (options: INodeParameters) => ({
	operation: 'removeBackground',
	inputType: 'all',
	download: false,
	options,
});

describe('Concurrency', () => {
	it.each([
		['five by default', {}, 5],
		['as many as configured', { concurrency: 2 }, 2],
	])(
		'counts jobs, not items: of one item’s images, %s run at once',
		async (_what, options, most) => {
			const gate = await openGate(fixture.sandbox.url);
			const item = await itemWith(12);
			const { result } = fixture.start(all(options), {
				items: [item],
				credential: { ...fixture.credential, baseUrl: gate.url },
			});
			for (let done = 0; done < 12; done++) {
				await until(() => gate.waiting.length > 0);
				if (done === 0) await until(() => gate.waiting.length === most);
				gate.waiting.shift()?.();
			}
			const { rows } = await result;
			gate.close();

			expect(rows).toHaveLength(12);
			expect(gate.most).toBe(most);
		},
	);
});

it('Request Interval separates the jobs of an item', async () => {
	const { result, stop } = fixture.start(all({ requestInterval: 3_600_000 }), {
		items: [await itemWith(3)],
	});
	const isBought = ({ jobId }: { jobId: string }) => logSoFar().includes(jobId);
	await until(() => fixture.charged() === 1 && fixture.sandbox.ledger.slice(-1).every(isBought));
	stop();
	const { error } = await result;

	// The second job would wait for an hour.
	expect(fixture.calls()).toHaveLength(1);
	expect(error?.description).toContain('Item 1, "photo_0.gif": http');
});

it('five hundred images in one item are each bought once, and returned in order', async () => {
	const names = Array.from({ length: 500 }, (_, index) => `photo_${index}`);
	const items = [await itemWith(500)];
	const { rows, error } = await fixture.run(all({ concurrency: 25 }), { items });

	expect(error).toBeUndefined();
	expect(fixture.charged()).toBe(500);
	expect(rows.map(({ json }) => json.source)).toEqual(names);
	expect(new Set(fixture.calls().map(({ files }) => files[0]?.sha256))).toEqual(
		new Set(names.map((name) => sha256(gif(name)))),
	);
});

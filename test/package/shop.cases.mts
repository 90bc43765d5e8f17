import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { shipped } from '../support/wholeN8n/examples.mjs';
import type { Execution } from '../support/wholeN8n/execution.mjs';
import { photoOf, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { Shop } from '../support/wholeN8n/Shop.mjs';
import { until } from '../support/wholeN8n/until.mjs';

/** The example that replaces a shop's product photos, whose update starts it again. */
export function shopCases(fixture: Fixture): void {
	describe('Shop: Product Photos', () => {
		const shop = new Shop();
		let workflowId = '';
		/** What the shop had reported when a test began. */
		let first = 0;
		const deliveries = () => shop.deliveries.slice(first);
		/** @returns the test's executions, latest first, once there will be no more */
		const whenQuiet = async (): Promise<Execution[]> => {
			let executions: Execution[] = [];
			await until('every report of the shop was worked on', async () => {
				const { length } = shop.deliveries;
				executions = await fixture.api.finished(workflowId, length);
				return shop.deliveries.length === length && executions.length === length;
			});
			return executions.slice(0, deliveries().length);
		};
		const statuses = async () => (await whenQuiet()).map(({ status }) => status);
		/** The bytes of the cut-out that the service made of a photo in the shop. */
		const cutOutOf = async (name: string) => {
			const jobs = fixture.sandbox.ledger.filter(({ fields }) => fields.image?.endsWith(name));
			assert.equal(jobs.length, 1, `${name} was bought ${jobs.length} times`);
			return await fixture.sandbox.output(jobs[0]?.jobId ?? '');
		};

		before(async () => {
			const credentials = await shop.open(fixture);
			const body = shipped(fixture, 'shop-product-photos.json');
			for (const node of body.nodes) {
				const isShop = /wooCommerce/.test(node.type + String(node.parameters.nodeCredentialType));
				if (isShop) node.credentials = credentials;
			}
			const address = body.nodes.find(({ name }) => name === 'Product Updated')?.webhookId;
			workflowId = await fixture.api.publish(body, `/webhook/${address}/webhook`);
			// Its address listens before n8n has registered the triggers and stored their secrets (2.41.1).
			await until('both triggers are registered', async () => {
				const path = `/workflows/${workflowId}`;
				const { staticData } = (await fixture.session.get(path)) as { staticData: object | null };
				const stored = Object.values(staticData ?? {}) as Array<{ secret?: string }>;
				return stored.filter(({ secret }) => secret !== undefined).length === 2;
			});
		});
		beforeEach(() => {
			first = shop.deliveries.length;
		});
		after(() => shop.close());

		it('buys one cut-out for a product with one photo, puts it in the place of the photo, and ends', async () => {
			const id = await shop.create({ 'lamp.jpg': photoOf('lamp') });

			assert.deepEqual(await statuses(), ['success', 'success']);
			assert.deepEqual(deliveries(), ['product.created', 'product.updated']);
			const [image, ...others] = shop.product(id).images;
			assert.ok(image);
			assert.deepEqual(others, []);
			assert.equal(image.name, 'lamp (cut out)');
			assert.equal(image.alt, 'Photo of lamp');
			assert.deepEqual(shop.bytesOf(image), await cutOutOf('-lamp.jpg'));
			assert.equal(fixture.charged().length, 1);
		});

		it('cuts out both photos of a product, later only the one that is added, and nothing when its title changes', async () => {
			const id = await shop.create({ 'mug.jpg': photoOf('mug'), 'mug-2.jpg': photoOf('mug 2') });
			await whenQuiet();
			assert.equal(fixture.charged().length, 2);
			const before = shop.product(id).images;
			await shop.edit(id, 'A blue mug');
			await whenQuiet();
			assert.equal(fixture.charged().length, 2);
			assert.deepEqual(shop.product(id).images, before);
			await shop.edit(id, 'A blue mug', { 'mug-3.jpg': photoOf('mug 3') });
			await whenQuiet();

			assert.equal(fixture.charged().length, 3);
			const { images, name } = shop.product(id);
			assert.equal(name, 'A blue mug');
			assert.deepEqual(images.slice(0, 2), before);
			const names = ['mug (cut out)', 'mug-2 (cut out)', 'mug-3 (cut out)'];
			assert.deepEqual(
				images.map((image) => image.name),
				names,
			);
			for (const [place, file] of ['-mug.jpg', '-mug-2.jpg', '-mug-3.jpg'].entries()) {
				const image = images[place];
				assert.ok(image);
				assert.deepEqual(shop.bytesOf(image), await cutOutOf(file));
			}
		});

		it('keeps a photo that somebody adds while the others are cut out, and cuts it out as well', async () => {
			fixture.sandbox.arm({ fault: 'delay', delayMs: 3000, when: 'slow-chair' });
			const id = await shop.create({ 'slow-chair.jpg': photoOf('slow chair') });
			await until('the cut-out is in progress', () => fixture.calls().length === 1);
			await shop.edit(id, 'A chair', { 'chair-2.jpg': photoOf('chair 2') });
			await whenQuiet();

			assert.deepEqual(
				shop.product(id).images.map(({ name }) => name),
				['slow-chair (cut out)', 'chair-2 (cut out)'],
			);
			assert.equal(fixture.charged().length, 2);
		});

		it('replaces the other photos of a product if one is refused, and the execution says why', async () => {
			const refusal = { err: 'This picture is not allowed' };
			fixture.sandbox.arm({
				fault: 'status',
				status: 400,
				body: refusal,
				when: 'odd-hat',
				times: Infinity,
			});
			const id = await shop.create({ 'odd-hat.jpg': photoOf('odd'), 'hat.jpg': photoOf('hat') });
			const executions = await whenQuiet();

			assert.deepEqual(
				shop.product(id).images.map(({ name }) => name),
				['odd-hat', 'hat (cut out)'],
			);
			// The update of the product tries the refused one once more, and changes nothing.
			assert.deepEqual(deliveries(), ['product.created', 'product.updated']);
			for (const { data } of executions) {
				assert.match(data.resultData.error?.message ?? '', /This picture is not allowed/);
			}
			assert.equal(fixture.charged().length, 1);
		});

		it('buys nothing for a product without a photo, and for a variation of a product', async () => {
			await shop.create({});
			await shop.create({ 'red-shirt.jpg': photoOf('red shirt') }, 'variation');

			assert.deepEqual(await statuses(), ['success', 'success']);
			assert.deepEqual(fixture.calls(), []);
		});
	});
}

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { shipped } from '../support/wholeN8n/examples.mjs';
import type { Execution } from '../support/wholeN8n/execution.mjs';
import { photoOf, useFixture, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { listen, type Listening } from '../support/wholeN8n/listen.mjs';
import { until, untilN8n } from '../support/wholeN8n/until.mjs';

/** A product's photo as version 3 of WooCommerce's REST API shows it. */
interface ProductPhoto {
	id: number;
	src: string;
	name: string;
	alt: string;
}

/** A product as version 3 of WooCommerce's REST API, and so a webhook, shows it. */
interface Product {
	id: number;
	name: string;
	type: string;
	images: ProductPhoto[];
	_links: { self: Array<{ href: string }> };
}

interface Webhook {
	id: number;
	status: 'active';
	topic: string;
	delivery_url: string;
	secret: string;
}

const key = { consumerKey: 'ck_test', consumerSecret: 'cs_test' };
const login = Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64');

/** Extensions of the links from which WooCommerce takes an image. */
const takenFrom = /\.(?:jpe?g|jpe|gif|png|bmp|tiff?|ico|webp)$/;

/** A shop that answers as WooCommerce's REST API does, and calls its webhooks. */
class Shop {
	/** What it reported, such as `product.updated`. */
	readonly deliveries: string[] = [];
	readonly #files = new Map<string, Buffer>();
	readonly #products = new Map<number, Product>();
	readonly #webhooks = new Map<number, Webhook>();
	readonly #server = createServer((request, response) => {
		this.#answer(request).then(
			(body) => response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body)),
			(error: unknown) => {
				const { message } = error as Error;
				response.writeHead(400).end(JSON.stringify({ message }));
			},
		);
	});
	#listening: Listening | undefined;
	#lastId = 0;

	/** Starts it. @returns the nodes' `credentials` for it */
	async open({ api }: Fixture) {
		this.#listening = await listen(this.#server);
		const name = 'Shop';
		const data = { ...key, url: this.#url };
		const id = await api.createCredential(name, 'wooCommerceApi', data);
		return { wooCommerceApi: { id, name } };
	}

	close(): void {
		this.#listening?.close();
	}

	/** Somebody adds a product. @returns its id */
	async create(photos: Record<string, Buffer>, type = 'simple'): Promise<number> {
		const id = ++this.#lastId;
		const href = `${this.#url}/wp-json/wc/v3/products/${id}`;
		const images = Object.entries(photos).map(([name, bytes]) => this.#upload(name, bytes));
		const product = { id, name: `Product ${id}`, type, images, _links: { self: [{ href }] } };
		this.#products.set(id, product);
		await this.#deliver('product.created', product);
		return id;
	}

	/** Somebody changes a product's name, and may add photos. */
	async edit(id: number, name: string, photos: Record<string, Buffer> = {}): Promise<void> {
		const product = this.product(id);
		const added = Object.entries(photos).map(([title, bytes]) => this.#upload(title, bytes));
		Object.assign(product, { name, images: [...product.images, ...added] });
		await this.#deliver('product.updated', product);
	}

	product(id: number): Product {
		const product = this.#products.get(id);
		assert.ok(product, `There is no product ${id}`);
		return product;
	}

	bytesOf({ src }: ProductPhoto): Buffer | undefined {
		return this.#files.get(new URL(src).pathname);
	}

	get #url(): string {
		return this.#listening?.url ?? '';
	}

	async #answer(request: IncomingMessage): Promise<unknown> {
		const { method, url = '', headers } = request;
		const { pathname } = new URL(url, this.#url);
		const file = this.#files.get(pathname);
		if (file !== undefined) return file;
		assert.equal(headers.authorization, `Basic ${login}`, 'Consumer key is invalid.');
		const [, what, id] = /^\/wp-json\/wc\/v3\/(\w+)\/?(\d*)$/.exec(pathname) ?? [];
		switch (`${method} ${what}`) {
			case 'GET webhooks':
				return [...this.#webhooks.values()];
			case 'POST webhooks':
				return await this.#addWebhook((await json(request)) as Webhook);
			case 'DELETE webhooks':
				return this.#webhooks.delete(Number(id));
			case 'GET products':
				return this.product(Number(id));
			case 'PUT products': {
				const { images } = (await json(request)) as { images: Array<Partial<ProductPhoto>> };
				const product = this.product(Number(id));
				product.images = await Promise.all(images.map(async (image) => await this.#take(image)));
				// WooCommerce reports in the background, whoever made the change.
				setImmediate(() => void this.#deliver('product.updated', product));
				return product;
			}
			default:
				throw new Error(`No route was found: ${method} ${pathname}`);
		}
	}

	/** Keeps an image that is given by its id, and downloads one that is given by its link. */
	async #take({ id, src, name, alt }: Partial<ProductPhoto>): Promise<ProductPhoto> {
		if (id !== undefined) {
			const all = [...this.#products.values()].flatMap(({ images }) => images);
			const kept = all.find((image) => image.id === id);
			assert.ok(kept, `#${id} is an invalid image ID.`);
			return kept;
		}
		const link = new URL(src ?? '');
		assert.match(link.pathname, takenFrom, 'Sorry, you are not allowed to upload this file type.');
		const answer = await fetch(link);
		assert.ok(answer.ok, `Error getting remote image ${link.href}.`);
		const uploaded = this.#upload(basename(link.pathname), Buffer.from(await answer.arrayBuffer()));
		return { ...uploaded, ...(name && { name }), ...(alt && { alt }) };
	}

	#upload(fileName: string, bytes: Buffer): ProductPhoto {
		const id = ++this.#lastId;
		const path = `/wp-content/uploads/${id}-${fileName}`;
		this.#files.set(path, bytes);
		const name = fileName.replace(/\.\w+$/, '');
		return { id, src: this.#url + path, name, alt: `Photo of ${name}` };
	}

	async #addWebhook(given: Webhook): Promise<Webhook> {
		const webhook: Webhook = { ...given, id: ++this.#lastId, status: 'active' };
		this.#webhooks.set(webhook.id, webhook);
		// Its ping has no signature, and no header of its own.
		const body = new URLSearchParams({ webhook_id: String(webhook.id) });
		await fetch(webhook.delivery_url, { method: 'POST', body });
		return webhook;
	}

	async #deliver(topic: string, product: Product): Promise<void> {
		for (const webhook of this.#webhooks.values()) {
			if (webhook.topic !== topic) continue;
			this.deliveries.push(topic);
			const body = JSON.stringify(product);
			const signature = createHmac('sha256', webhook.secret).update(body).digest('base64');
			const answer = await fetch(webhook.delivery_url, {
				method: 'POST',
				headers: {
					connection: 'close',
					'content-type': 'application/json',
					'x-wc-webhook-topic': topic,
					'x-wc-webhook-id': String(webhook.id),
					'x-wc-webhook-signature': signature,
				},
				body,
			});
			assert.equal(answer.status, 200);
		}
	}
}

/** It replaces a shop's product photos, whose update starts it again. */
describe('The example Shop: Product Photos', () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'shop' });
	const shop = new Shop();
	let workflowId = '';
	/** What the shop had reported when a test began. */
	let first = 0;
	const deliveries = () => shop.deliveries.slice(first);
	/** @returns the test's executions, latest first, once there will be no more */
	const whenQuiet = async (): Promise<Array<Omit<Execution, 'data'>>> => {
		let executions: Array<Omit<Execution, 'data'>> = [];
		await untilN8n('every report of the shop was worked on', async () => {
			const { length } = shop.deliveries;
			executions = await fixture.api.untilFinished(workflowId, length);
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
		await untilN8n('both triggers are registered', async () => {
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
		for (const { id: execution } of executions) {
			const { data } = await fixture.api.execution(execution);
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

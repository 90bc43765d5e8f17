import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Fixture } from './fixture.mjs';
import { listen, type Listening } from './listen.mjs';

/** A product's photo as version 3 of WooCommerce's REST API shows it. */
export interface ProductPhoto {
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
export class Shop {
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

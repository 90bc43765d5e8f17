import { notFound, type StandIn } from './interceptHttps.mjs';
import type { Row } from './Row.mjs';

const api = '/admin/api/2024-07';

/** A shop whose products have images, and take more by address. */
export function shopify(rows: readonly Row[]): StandIn {
	const productOf = ({ id, photos, links }: Row) => ({
		id: Number(id),
		title: `Product ${id}`,
		images: [...photos.map(({ url }) => url), ...links].map((src, index) => ({
			id: Number(id) * 100 + index,
			product_id: Number(id),
			position: index + 1,
			alt: null,
			src,
		})),
	});
	return async (request) => {
		// n8n's node sends two slashes before the resource (2.41.1).
		const path = new URL(request.url).pathname.replace('//', '/');
		if (request.method === 'GET' && path === `${api}/products.json`) {
			return Response.json({ products: rows.map(productOf) });
		}
		const row = rows.find(({ id }) => path === `${api}/products/${id}/images.json`);
		if (request.method === 'POST' && row) {
			const { image } = (await request.json()) as { image: { src: string } };
			row.links.push(image.src);
			return Response.json({ image }, { status: 201 });
		}
		return notFound(request);
	};
}

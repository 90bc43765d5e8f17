import { notFound, type StandIn } from './interceptHttps.mjs';
import type { Photo, Row } from './Row.mjs';

interface Change {
	properties: { Edited: { url: string } };
}

/** The data source `products`, with files in `Photos` and an address in `Edited`. */
export function notion(rows: readonly Row[]): StandIn {
	let signatures = 0;
	const fileOf = (photo: Photo) => {
		// Notion signs a file's address anew each time.
		const url = `${photo.url}?X-Amz-Signature=${++signatures}`;
		return { name: 'photo.jpg', type: 'file', file: { url } };
	};
	const pageOf = ({ id, photos, links }: Row) => ({
		object: 'page',
		id,
		url: `https://www.notion.so/${id}`,
		parent: { type: 'data_source_id', data_source_id: 'products' },
		properties: {
			Name: { type: 'title', title: [{ type: 'text', plain_text: `Product ${id}` }] },
			Photos: { type: 'files', files: photos.map(fileOf) },
			Edited: { type: 'url', url: links[0] ?? null },
		},
	});
	return async (request) => {
		const { pathname } = new URL(request.url);
		if (request.method === 'POST' && pathname === '/v1/data_sources/products/query') {
			return Response.json({ results: rows.map(pageOf), has_more: false, next_cursor: null });
		}
		const row = rows.find(({ id }) => pathname === `/v1/pages/${id}`);
		if (request.method === 'PATCH' && row) {
			const { properties } = (await request.json()) as Change;
			row.links = [properties.Edited.url];
			return Response.json(pageOf(row));
		}
		return notFound(request);
	};
}

import { notFound, type StandIn } from './interceptHttps.mjs';
import type { Photo, Row } from './Row.mjs';

interface AirtableRecord {
	id: string;
	fields: { 'Cut-Out': string };
}

/** The table `Products` of the base `appShop`, with attachments in `Photos` and a link in `Cut-Out`. */
export function airtable(rows: readonly Row[]): StandIn {
	const recordOf = ({ id, photos, links: [link] }: Row) => ({
		id,
		createdTime: '2026-11-28T08:00:00.000Z',
		fields: { Photos: photos.map(attachmentOf), ...(link !== undefined && { 'Cut-Out': link }) },
	});
	return async (request) => {
		const { pathname } = new URL(request.url);
		switch (`${request.method} ${pathname}`) {
			case 'GET /v0/appShop/Products':
				return Response.json({ records: rows.map(recordOf) });
			case 'PATCH /v0/appShop/Products': {
				const { records } = (await request.json()) as { records: AirtableRecord[] };
				for (const { id, fields } of records) {
					const row = rows.find((each) => each.id === id);
					if (!row) return new Response(`There is no record ${id}`, { status: 422 });
					row.links = [fields['Cut-Out']];
				}
				return Response.json({ records });
			}
			default:
				return notFound(request);
		}
	};
}

function attachmentOf({ url }: Photo) {
	const small = { url: `${url}?small`, width: 36, height: 36 };
	return { id: 'att1', url, filename: 'photo.jpg', type: 'image/jpeg', thumbnails: { small } };
}

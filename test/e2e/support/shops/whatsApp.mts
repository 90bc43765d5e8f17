import { notFound, type StandIn } from './interceptHttps.mjs';

/** An image that somebody received. */
export interface ImageMessage {
	to: string;
	bytes: Buffer;
}

interface SentMessage {
	to: string;
	type: string;
	image: { id: string };
}

/** The phone `shop-phone`, which uploads images and sends them. */
export function whatsApp(messages: ImageMessage[]): StandIn {
	const media: Buffer[] = [];
	return async (request) => {
		const { pathname } = new URL(request.url);
		switch (`${request.method} ${pathname}`) {
			case 'POST /v13.0/shop-phone/media': {
				media.push(await fileIn(request));
				return Response.json({ id: String(media.length) });
			}
			case 'POST /v13.0/shop-phone/messages': {
				const { to, image } = (await request.json()) as SentMessage;
				const bytes = media[Number(image.id) - 1];
				if (!bytes) return new Response('No such media', { status: 400 });
				messages.push({ to, bytes });
				return Response.json({ messages: [{ id: `message${messages.length}` }] });
			}
			default:
				return notFound(request);
		}
	};
}

/** The first part of a multipart request, which is the file. */
async function fileIn(request: Request): Promise<Buffer> {
	const [, boundary = ''] = /boundary=(\S+)/.exec(request.headers.get('content-type') ?? '') ?? [];
	const body = Buffer.from(await request.arrayBuffer());
	const start = body.indexOf('\r\n\r\n') + 4;
	return body.subarray(start, body.indexOf(`\r\n--${boundary}`, start));
}

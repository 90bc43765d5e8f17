import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';

/** A file in the media library. */
interface Media {
	id: number;
	fileName: string;
	type: string;
	altText: string;
	title: string;
	bytes: Buffer;
}

/** A post as it was sent. */
interface Post {
	title: string;
	content: string;
	status: string;
	featured_media: number | string;
}

const user = { username: 'editor', password: 'abcd efgh ijkl' };

/** The part of WordPress's REST API that takes images and posts, with its own refusals. */
export async function startWordpress() {
	const media: Media[] = [];
	const posts: Post[] = [];
	/** How many of the next posts it answers with 503. */
	let refused = 0;

	const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const { authorization, 'content-disposition': disposition = '' } = request.headers;
		const isKnown = authorization === `Basic ${btoa(`${user.username}:${user.password}`)}`;
		if (request.method !== 'POST') return [404, { code: 'rest_no_route' }];
		if (!isKnown) return [401, { code: 'rest_cannot_create' }];
		if (pathname === '/wp-json/wp/v2/media') {
			const [, fileName] = /^attachment; filename="([^"]+)"$/.exec(disposition) ?? [];
			const bytes = await buffer(request);
			if (fileName === undefined) return [400, { code: 'rest_upload_no_content_disposition' }];
			const id = 100 + media.length;
			const type = request.headers['content-type'] ?? '';
			media.push({
				id,
				fileName,
				type,
				altText: searchParams.get('alt_text') ?? '',
				title: searchParams.get('title') ?? '',
				bytes,
			});
			return [201, { id, source_url: `https://blog.example.com/${fileName}` }];
		}
		const post = (await json(request)) as Post;
		if (refused > 0) {
			refused--;
			return [503, { code: 'maintenance' }];
		}
		const hasImage = media.some(({ id }) => id === Number(post.featured_media));
		if (!hasImage) return [400, { code: 'rest_invalid_featured_media' }];
		posts.push(post);
		return [201, { id: 500 + posts.length, status: post.status }];
	};

	const server = createServer((request, response) => {
		void answer(request).then(([status, body]) => {
			response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
			response.end(JSON.stringify(body));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		/** What n8n's credential needs. */
		credential: { ...user, url, allowUnauthorizedCerts: false },
		media,
		posts,
		refuse: (count: number) => {
			refused = count;
		},
		close: () => server.close(),
	};
}

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { it } from 'node:test';
import { shipped, start } from '../support/wholeN8n/examples.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { listen } from '../support/wholeN8n/listen.mjs';

/** Where the example's WordPress is until a user replaces it. */
const ADDRESS = 'https://blog.example.com';
const user = { username: 'editor', password: 'abcd efgh ijkl' };

/** The image of a post in the example that WordPress plays a part in. */
export function blogPostCase(fixture: Fixture): void {
	it('Blog Post with Featured Image saves a draft for each post that names its own image, whatever its language', async (context) => {
		const wordpress = await startWordpress();
		context.after(wordpress.close);
		const id = await fixture.api.createCredential('Blog', 'wordpressApi', {
			...user,
			url: wordpress.url,
		});
		const body = shipped(fixture, 'blog-post-with-featured-image.json');
		for (const node of body.nodes) {
			const { parameters } = node;
			if (parameters['nodeCredentialType'] === 'wordpressApi') {
				node.credentials = { wordpressApi: { id, name: 'Blog' } };
				parameters['url'] = String(parameters['url']).replace(ADDRESS, wordpress.url);
			}
			if (node.name === 'Posts') {
				parameters['jsonOutput'] = String(parameters['jsonOutput'])
					.replaceAll('Ten Quiet Lakes', 'Тихие озёра')
					.replaceAll('A quiet lake', 'Тихое озеро');
			}
		}
		await start(fixture, body);

		const charged = fixture.charged();
		assert.equal(charged.length, 2);
		assert.equal(wordpress.drafts.length, 2);
		for (const { fields, jobId } of charged) {
			const bytes = await fixture.sandbox.output(jobId);
			const [media, ...more] = wordpress.media.filter(({ body }) => body.includes(bytes));
			assert.ok(media);
			assert.deepEqual(more, []);
			assert.equal(fields['text'], `${media.altText}, a photograph, no letters`);
			assert.match(media.fileName ?? '', /^(a-red-fox|тихое-озеро)-.+-\w{6}\.jpg$/);
			const draft = wordpress.drafts.find(({ featured_media }) => featured_media === media.id);
			assert.ok(draft);
			assert.equal(draft.title, media.title);
			assert.equal(draft.status, 'draft');
			assert.match(draft.content, /^<p>/);
		}
	});
}

/** A file in the media library. */
interface Media {
	id: number;
	fileName: string | undefined;
	title: string | undefined;
	altText: string | undefined;
	/** The form that brought it. */
	body: Buffer;
}

interface Draft {
	title: string;
	content: string;
	status: string;
	featured_media: number;
}

/** The part of WordPress's REST API that takes images, as its own editor uploads them, and posts. */
async function startWordpress() {
	const media: Media[] = [];
	const drafts: Draft[] = [];
	const answer = async (request: IncomingMessage): Promise<object | undefined> => {
		const { authorization } = request.headers;
		const isKnown = authorization === `Basic ${btoa(`${user.username}:${user.password}`)}`;
		if (request.method !== 'POST' || !isKnown) return undefined;
		switch (request.url) {
			case '/wp-json/wp/v2/media': {
				const body = await buffer(request);
				const text = body.toString();
				const fieldOf = (name: string) =>
					new RegExp(`; name="${name}"\r\n\r\n(.*)\r\n`).exec(text)?.[1];
				const [, fileName] =
					/; name="file"; filename="(.*)"\r\nContent-Type: image\/jpeg/.exec(text) ?? [];
				const id = 100 + media.length;
				media.push({ id, fileName, title: fieldOf('title'), altText: fieldOf('alt_text'), body });
				return { id };
			}
			case '/wp-json/wp/v2/posts':
				return { id: drafts.push((await json(request)) as Draft) };
			default:
				return undefined;
		}
	};
	const server = createServer((request, response) => {
		void answer(request).then(
			(body) => {
				response.writeHead(body === undefined ? 401 : 201, { 'content-type': 'application/json' });
				response.end(JSON.stringify(body ?? { code: 'rest_cannot_create' }));
			},
			(error: unknown) => response.writeHead(400).end(String(error)),
		);
	});
	return { media, drafts, ...(await listen(server)) };
}

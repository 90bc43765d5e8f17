import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { threePhotos, upload, useFixture } from '../support/wholeN8n/fixture.mjs';

type ChatFile = readonly [name: string, content: Buffer | string, type?: string];

/** Called as n8n's chat calls it. */
describe('The example Chat That Edits Photos', () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'chat' });
	const asksForPhoto = /^Send me one or more photos/;
	const triesLater = 'A photo could not be edited just now. Try again later.';
	let path = '';
	/** Sends a message. @returns the answer that the chat shows */
	const say = async (chatInput: string, ...files: ChatFile[]): Promise<string> => {
		const message = { action: 'sendMessage', sessionId: crypto.randomUUID(), chatInput };
		const form = upload(...files.map(([...file]) => ['files', ...file] as const));
		for (const [name, value] of Object.entries(message)) form.append(name, value);
		// Without files, the chat sends JSON (@n8n/chat 1.37.0).
		const answer = await fixture.call(path, files.length === 0 ? message : form);
		assert.equal(answer.status, 200);
		return ((await answer.json()) as { output: string }).output;
	};
	/** The addresses of an answer's pictures. */
	const picturesIn = (answer: string) =>
		Array.from(answer.matchAll(/!\[Edited photo\]\((.*?)\)/g), ([, link = '']) => link);

	before(async () => {
		const body = shipped(fixture, 'chat-edits-photos.json');
		path = `${body.nodes.find(({ name }) => name === 'Chat')?.webhookId}/chat`;
		await fixture.api.publish(body, `/webhook/${path}`);
	});

	it('answers a photo with the edited picture', async () => {
		const [photo] = await threePhotos(80);
		const answer = await say('make it black and white', ['me.jpg', photo]);

		const [job, ...others] = fixture.charged();
		assert.deepEqual(others, []);
		assert.equal(job?.tool, 'image-editor');
		assert.equal(job.fields.text, 'make it black and white');
		assert.deepEqual(picturesIn(answer), [job.outputUrl]);
		const shown = await fetch(job.outputUrl);
		const made = await fixture.sandbox.output(job.jobId);
		assert.deepEqual(Buffer.from(await shown.arrayBuffer()), made);
	});

	it('answers several photos with all of them, in one message', async () => {
		const photos = await threePhotos(90);
		const answer = await say('blur it', ...photos.map((bytes, n) => [`${n}.jpg`, bytes] as const));

		const links = fixture.charged().map(({ outputUrl }) => outputUrl);
		assert.equal(links.length, 3);
		// In the order in which n8n received them, which is any.
		assert.deepEqual(picturesIn(answer).sort(), links.sort());
	});

	it('says what to send if a photo or the words are missing, and buys nothing', async () => {
		const [photo] = await threePhotos(100);
		const pdf = ['bill.pdf', '%PDF-1.7', 'application/pdf'] as const;
		for (const answer of [
			await say('now brighter'),
			await say('make it brighter', pdf),
			await say(' ', ['me.jpg', photo]),
		]) {
			assert.match(answer, asksForPhoto);
			assert.deepEqual(picturesIn(answer), []);
		}
		assert.deepEqual(fixture.calls(), []);
	});

	it('says so in a sentence if the service rejects the photo', async () => {
		const [photo] = await threePhotos(110);
		const body = { err: 'The wallet is empty' };
		fixture.sandbox.arm({ fault: 'status', status: 402, body });

		assert.equal(await say('make it brighter', ['me.jpg', photo]), triesLater);
	});

	it('edits ten of eleven photos, and says that one is missing', async () => {
		const [photo] = await threePhotos(120);
		const files = Array.from(
			{ length: 11 },
			(_, place): ChatFile => [`${place}.jpg`, Buffer.concat([photo, Buffer.from(String(place))])],
		);
		const answer = await say('flip it', ...files);

		assert.equal(fixture.charged().length, 10);
		assert.equal(picturesIn(answer).length, 10);
		assert.ok(answer.endsWith(triesLater), answer);
	});
});

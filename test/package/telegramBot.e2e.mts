import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { Beforehand } from '../support/wholeN8n/Beforehand.mjs';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { assertSuccess } from '../support/wholeN8n/execution.mjs';
import { threePhotos, useFixture, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { listen, type Listening } from '../support/wholeN8n/listen.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import type { WorkflowNode } from '../support/wholeN8n/workflow.mjs';

const WHAT_TO_SEND = /^Please send me a photo with a caption that says what to change/;

const token = '123456:not-a-secret';

/** What somebody sends: a Message of the Bot API, without its number, chat and time. */
type Content = Record<string, unknown>;

type Message = Content & { message_id: number; chat: { id: number } };

/** An Update of the Bot API. */
interface Update {
	update_id: number;
	message?: Message;
	edited_message?: Message;
}

/** What the bot has sent to a chat. */
interface Sent {
	chat: number;
	replyTo: number;
	text: string;
	/** A photo or document; empty if it is a text. */
	file: Buffer;
	fileName: string;
}

/** What a bot has asked for with setWebhook. */
interface Webhook {
	url: string;
	secret_token: string;
	allowed_updates: string[];
}

/**
 * Telegram's side of one bot, as its Bot API describes it: it stores the bot's webhook, has the files of messages,
 * receives what the bot sends, and posts updates.
 */
class TelegramBot {
	/** What the bot has sent so far. */
	readonly sent: Sent[] = [];
	readonly #files = new Map<string, { path: string; bytes: Buffer }>();
	#listening: Listening | undefined;
	#webhook: Partial<Webhook> | undefined;
	#lastUpdate = 1000;
	#lastMessage = 0;

	readonly #server = createServer((request, response) => {
		void this.#respond(request)
			.catch((error: unknown) => failed(500, String(error)))
			.then(({ status, body }) => {
				if (Buffer.isBuffer(body)) response.writeHead(status).end(body);
				else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
			});
	});

	/** Starts it. @returns the nodes' `credentials` for it */
	async start({ api }: Fixture): Promise<NonNullable<WorkflowNode['credentials']>> {
		this.#listening = await listen(this.#server);
		const name = 'Telegram account';
		const data = { accessToken: token, baseUrl: this.#listening.url };
		const id = await api.createCredential(name, 'telegramApi', data);
		return { telegramApi: { id, name } };
	}

	close(): void {
		this.#listening?.close();
	}

	/** A photo of a message, in the sizes that Telegram makes. The last one is the largest. */
	photo(bytes: Buffer): Content {
		const size = (file_id: string, width: number) => ({
			file_id,
			file_unique_id: `unique-${file_id}`,
			width,
			height: width,
		});
		const small = this.#addFile('photos', Buffer.from('a thumbnail'), 'jpg');
		return { photo: [size(small, 90), size(this.#addFile('photos', bytes, 'jpg'), 800)] };
	}

	/** A file of a message, which Telegram sends as it is. */
	document(bytes: Buffer, file_name: string, mime_type: string): Content {
		const file_id = this.#addFile('documents', bytes, file_name.split('.').at(-1) ?? '');
		return { document: { file_id, file_unique_id: `unique-${file_id}`, file_name, mime_type } };
	}

	/** The update for a new message. */
	update(chat: number, content: Content): Update {
		return { update_id: ++this.#lastUpdate, message: this.#message(chat, content) };
	}

	/** The update for a message that somebody has edited. */
	editedUpdate(chat: number, content: Content): Update {
		const edited_message = { ...this.#message(chat, content), edit_date: 1_790_000_060 };
		return { update_id: ++this.#lastUpdate, edited_message };
	}

	/** Posts an update to the webhook, again and again until it responds with a status of 2xx. */
	async post(update: Update): Promise<void> {
		// n8n's address responds before n8n has told it to Telegram.
		await until('the bot has a webhook', () => this.#webhook !== undefined);
		const { url = '', secret_token = '', allowed_updates = [] } = this.#webhook ?? {};
		if (!allowed_updates.some((type) => type in update)) return;
		await until('the webhook takes the update', async () => {
			const { ok } = await fetch(url, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'x-telegram-bot-api-secret-token': secret_token,
					connection: 'close',
				},
				body: JSON.stringify(update),
			});
			return ok;
		});
	}

	#message(chat: number, content: Content) {
		return {
			message_id: ++this.#lastMessage,
			from: { id: chat, is_bot: false, first_name: 'Ann' },
			chat: { id: chat, first_name: 'Ann', type: 'private' },
			date: 1_790_000_000,
			...content,
		};
	}

	/** @returns its id */
	#addFile(folder: string, bytes: Buffer, extension: string): string {
		const count = this.#files.size;
		const id = `AgACAgIAAxkBAAI-${count}`;
		this.#files.set(id, { path: `${folder}/file_${count}.${extension}`, bytes });
		return id;
	}

	async #respond(request: IncomingMessage): Promise<Answer> {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const [, of = '', name = ''] = /^\/((?:file\/)?bot[^/]+)\/(.*)$/.exec(pathname) ?? [];
		if (of === `file/bot${token}`) {
			const file = [...this.#files.values()].find(({ path }) => path === name);
			return file === undefined ? failed(404, 'Not Found') : { status: 200, body: file.bytes };
		}
		if (of !== `bot${token}`) return failed(401, 'Unauthorized');
		const fields = await fieldsOf(request, searchParams);
		const text = (field: string) => {
			const value = fields.get(field);
			return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
		};
		switch (name) {
			case 'getWebhookInfo':
				return done({ url: this.#webhook?.url ?? '', pending_update_count: 0 });
			case 'setWebhook':
				this.#webhook = Object.fromEntries(fields);
				return done(true);
			case 'deleteWebhook':
				this.#webhook = undefined;
				return done(true);
			case 'getFile': {
				const file = this.#files.get(text('file_id'));
				if (file === undefined) return failed(400, 'Bad Request: invalid file_id');
				const { path, bytes } = file;
				return done({ file_id: text('file_id'), file_size: bytes.length, file_path: path });
			}
			case 'sendMessage':
			case 'sendPhoto':
			case 'sendDocument': {
				const file = fields.get('photo') ?? fields.get('document');
				this.sent.push({
					chat: Number(text('chat_id')),
					replyTo: Number(text('reply_to_message_id')),
					text: text('text'),
					file: file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0),
					fileName: file instanceof File ? file.name : '',
				});
				return done({ message_id: ++this.#lastMessage, chat: { id: Number(text('chat_id')) } });
			}
			default:
				return failed(404, 'Not Found');
		}
	}
}

interface Answer {
	status: number;
	body: Buffer | string;
}

const done = (result: unknown): Answer => ({
	status: 200,
	body: JSON.stringify({ ok: true, result }),
});

const failed = (status: number, description: string): Answer => ({
	status,
	body: JSON.stringify({ ok: false, error_code: status, description }),
});

/** A method's parameters, in whichever way they come. */
async function fieldsOf(request: IncomingMessage, query: URLSearchParams) {
	const type = request.headers['content-type'] ?? '';
	const body = await buffer(request);
	if (body.length === 0) return new Map<string, unknown>(query);
	if (type.startsWith('application/json')) {
		const parameters = JSON.parse(body.toString()) as Record<string, unknown>;
		return new Map(Object.entries(parameters));
	}
	// Node's parser reads all parts into memory, which small photos fit into.
	const parts: { formData(): Promise<FormData> } = new Response(body, {
		headers: { 'content-type': type },
	});
	const form = await parts.formData();
	return new Map<string, unknown>(form);
}

/** With messages as Telegram sends them, each test's in chats of its own. */
describe('The example Telegram Bot', () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'telegram-bot' });
	const bot = new TelegramBot();
	let workflow: { id: string; path: string };
	let posted = 0;
	let albums = 0;
	let chats = 7000;
	const newChat = () => ++chats;

	before(async () => {
		const credentials = await bot.start(fixture);
		const body = shipped(fixture, 'telegram-bot.json');
		for (const node of body.nodes) {
			if (/\.telegram(Trigger)?$/.test(node.type)) node.credentials = credentials;
		}
		const trigger = body.nodes.find(({ type }) => type.endsWith('telegramTrigger'));
		const path = `${trigger?.webhookId}/webhook`;
		workflow = { id: await fixture.api.publish(body, `/webhook/${path}`), path };
	});
	after(async () => {
		await fixture.api.deactivate(workflow.id);
		bot.close();
	});

	/** Posts updates at the same time. */
	const post = async (...updates: readonly Update[]): Promise<void> => {
		posted += updates.length;
		await Promise.all(updates.map(async (update) => await bot.post(update)));
	};
	/** Waits until n8n has done with all updates. */
	const untilQuiet = async (): Promise<void> => {
		const all = await fixture.api.finished(workflow.id, posted);
		all.forEach(assertSuccess);
	};
	/** What the bot has sent to some chats. */
	const answersTo = (...to: readonly number[]) => bot.sent.filter(({ chat }) => to.includes(chat));
	const untilAnswered = async (count: number, ...to: readonly number[]): Promise<void> => {
		await until(`${count} answers are sent`, () => answersTo(...to).length === count);
	};
	const textsTo = (chat: number) =>
		answersTo(chat).flatMap(({ text }) => (text === '' ? [] : [text]));
	/** The updates for an album: one for each of its contents. */
	const album = (chat: number, contents: readonly Content[]): Update[] => {
		const media_group_id = `1374${++albums}`;
		return contents.map((content) => bot.update(chat, { ...content, media_group_id }));
	};
	/** Asserts that each message got its own photo, edited, as the service made it. The photos differ in width. */
	const assertEdited = async (
		caption: string,
		updates: readonly Update[],
		widths: readonly number[],
	) => {
		const jobs = fixture.charged(caption);
		const outputs = jobs.map(async ({ jobId }) => await fixture.sandbox.output(jobId));
		const made = (await Promise.all(outputs)).map((bytes) => bytes.toString('base64'));
		const photos = updates.map(({ message }) => {
			const [answer, ...more] = bot.sent.filter(
				({ chat, replyTo, text }) =>
					chat === message?.chat.id && replyTo === message.message_id && text === '',
			);
			assert.ok(answer);
			assert.deepEqual(more, []);
			return answer.file;
		});
		assert.deepEqual(photos.map((file) => file.toString('base64')).sort(), made.sort());
		const widthOf = async (file: Buffer) => (await sharp(file).metadata()).width;
		assert.deepEqual(await Promise.all(photos.map(widthOf)), widths);
	};

	const beforehand = new Beforehand();
	before(async () => {
		await beforehand.begin();
		await untilQuiet();
	});

	const twoAlbums = beforehand.add(async () => {
		const [ann, bob] = [newChat(), newChat()];
		const [one, two, three] = await threePhotos(300);
		const [four, five] = await threePhotos(400);
		const [a1, a2, a3] = album(ann, [
			bot.photo(one),
			bot.photo(two),
			{ ...bot.photo(three), caption: 'Make it sepia' },
		]);
		const [b1, b2] = album(bob, [{ ...bot.photo(four), caption: 'Invert it' }, bot.photo(five)]);
		assert.ok(a1 && a2 && a3 && b1 && b2);
		await post(b2, a3, a1, b2, b1, a2, a1, a3);
		await untilAnswered(5, ann, bob);
		await post(a1, b1, b2);
		return { ann: [a1, a2, a3], bob: [b1, b2], answers: () => answersTo(ann, bob) };
	});
	it('edits all photos of an album by its one caption, keeps two albums apart that come at once and in any order, and buys nothing twice if Telegram repeats their updates', async () => {
		const { ann, bob, answers } = await twoAlbums();

		assert.equal(answers().length, 5);
		await assertEdited('Make it sepia', ann, [300, 320, 340]);
		await assertEdited('Invert it', bob, [400, 420]);
	});

	const lateForAlbum = beforehand.add(async () => {
		const chat = newChat();
		const [one, two, three] = await threePhotos(500);
		const caption = 'Make it blue';
		const updates = album(chat, [{ ...bot.photo(one), caption }, bot.photo(two), bot.photo(three)]);
		await post(...updates.slice(0, 2));
		await untilAnswered(2, chat);
		await post(...updates.slice(2));
		return { caption, updates, answers: () => answersTo(chat) };
	});
	it('edits a photo that comes late by the caption of its album, and the others only once', async () => {
		const { caption, updates, answers } = await lateForAlbum();

		assert.equal(answers().length, 3);
		await assertEdited(caption, updates, [500, 520, 540]);
	});

	const singles = beforehand.add(async () => {
		const [ann, bob] = [newChat(), newChat()];
		const [one, two] = await threePhotos(600);
		const photo = bot.update(ann, { ...bot.photo(one), caption: 'Make it brighter' });
		const file = bot.update(bob, {
			...bot.document(two, 'IMG_1234.JPG', 'image/jpeg'),
			caption: 'Make it darker',
		});
		await post(photo, file, photo);
		await untilAnswered(2, ann, bob);
		await post(photo);
		return { photo, file, answers: () => answersTo(ann, bob) };
	});
	it('edits a single photo once, also one that is sent as a file and one whose update Telegram repeats', async () => {
		const { photo, file, answers } = await singles();

		assert.equal(answers().length, 2);
		await assertEdited('Make it brighter', [photo], [600]);
		await assertEdited('Make it darker', [file], [620]);
	});

	const others = beforehand.add(async () => {
		const [photo, other] = await threePhotos(60);
		const pdf = () => bot.document(Buffer.from('%PDF-1.7'), 'bill.pdf', 'application/pdf');
		const caption = 'make it blue';
		const sticker = { file_id: 'CAACAgIAAxk', width: 512, height: 512, emoji: '👍' };
		const messages: Record<string, (chat: number) => Update[]> = {
			'/start': (chat) => [bot.update(chat, { text: '/start' })],
			'a text': (chat) => [bot.update(chat, { text: 'make it blue' })],
			thanks: (chat) => [bot.update(chat, { text: 'Thanks!' })],
			'a thumb': (chat) => [bot.update(chat, { text: '👍' })],
			'a sticker': (chat) => [bot.update(chat, { sticker })],
			'a voice message': (chat) => [bot.update(chat, { voice: { file_id: 'AwACAgIAAxk' } })],
			'a photo': (chat) => [bot.update(chat, bot.photo(photo))],
			'a PDF': (chat) => [bot.update(chat, { ...pdf(), caption })],
			'a caption added later': (chat) => [bot.editedUpdate(chat, { ...bot.photo(photo), caption })],
			'an album without a caption': (chat) => album(chat, [bot.photo(photo), bot.photo(other)]),
			'an album of PDFs': (chat) => album(chat, [pdf(), { ...pdf(), caption }, pdf()]),
		};
		const names = new Map(Object.keys(messages).map((name) => [newChat(), name]));
		await post(...[...names].flatMap(([chat, name]) => messages[name]?.(chat) ?? []));
		return { names, caption, answers: () => answersTo(...names.keys()) };
	});
	it('answers each message that is no photo with a caption once, with what to send, and buys nothing', async () => {
		const { names, caption, answers } = await others();

		const answered = answers().map(({ chat }) => names.get(chat));
		assert.deepEqual(answered.sort(), [...names.values()].sort());
		for (const { text } of answers()) assert.match(text, WHAT_TO_SEND);
		const bought = fixture.sandbox.ledger.map(({ fields }) => fields.text);
		assert.deepEqual(
			bought.filter((text) => !text || text === caption),
			[],
		);
	});

	const withVideo = beforehand.add(async () => {
		const chat = newChat();
		const [one, two] = await threePhotos(700);
		const video = { video: { file_id: 'BAACAgIAAxk', mime_type: 'video/mp4', duration: 3 } };
		const caption = 'Make it green';
		const updates = album(chat, [{ ...video, caption }, bot.photo(one), bot.photo(two)]);
		await post(...updates);
		return { chat, caption, photos: updates.slice(1) };
	});
	it('edits the photos of an album with a video, and says for the video what to send', async () => {
		const { chat, caption, photos } = await withVideo();

		await assertEdited(caption, photos, [700, 720]);
		const [text = '', ...more] = textsTo(chat);
		assert.match(text, WHAT_TO_SEND);
		assert.deepEqual(more, []);
		assert.equal(answersTo(chat).length, 3);
	});

	const again = beforehand.add(async () => {
		const chat = newChat();
		const caption = 'Make it warmer';
		let [file] = await threePhotos(150);
		for (let edits = 1; edits <= 3; edits++) {
			const document = bot.document(file, 'photo.jpg', 'image/jpeg');
			await post(bot.update(chat, { ...document, caption }));
			await untilAnswered(edits, chat);
			file = answersTo(chat).at(-1)?.file ?? file;
		}
		return { chat, caption };
	});
	it('edits its own result again and again, if somebody sends it back with the same caption', async () => {
		const { chat, caption } = await again();

		assert.equal(fixture.charged(caption).length, 3);
		assert.deepEqual(textsTo(chat), []);
	});

	const refused = beforehand.add(async () => {
		const [ann, bob] = [newChat(), newChat()];
		const [one, two] = await threePhotos(800);
		const caption = 'Make it red';
		const body = { err: 'The wallet is empty' };
		fixture.sandbox.arm({ fault: 'status', status: 402, body, when: caption, times: Infinity });
		await post(
			bot.update(ann, { ...bot.photo(one), caption }),
			...album(bob, [bot.photo(one), { ...bot.photo(two), caption }]),
		);
		return { ann, bob, caption };
	});
	it('says in one sentence that photos could not be edited, without the reason', async () => {
		const { ann, bob, caption } = await refused();

		assert.deepEqual(textsTo(ann), [
			'Sorry, I could not edit your photo just now. Please try again later.',
		]);
		assert.deepEqual(textsTo(bob), [
			'Sorry, I could not edit all of your photos just now. Please try again later.',
		]);
		assert.equal(answersTo(ann, bob).length, 2);
		assert.deepEqual(fixture.charged(caption), []);
	});

	it('says the same at the limit of a day, and edits what is left until then', async () => {
		const limit = fixture.sandbox.ledger.length + 1;
		await fixture.api.setOption(workflow, 'Edit Photo', 'maxImagesPerDay', limit);
		const chat = newChat();
		const [one, two] = await threePhotos(900);
		const caption = 'Make it sharper';
		await post(...album(chat, [bot.photo(one), { ...bot.photo(two), caption }]));
		await untilQuiet();

		assert.equal(fixture.charged(caption).length, 1);
		assert.deepEqual(textsTo(chat), [
			'Sorry, I could not edit all of your photos just now. Please try again later.',
		]);
		assert.equal(answersTo(chat).length, 2);
	});
});

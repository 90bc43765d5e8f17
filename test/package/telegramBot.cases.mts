import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import sharp from 'sharp';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { assertSuccess } from '../support/wholeN8n/execution.mjs';
import { threePhotos, type Fixture } from '../support/wholeN8n/fixture.mjs';
import {
	TelegramBot,
	type Content,
	type Sent,
	type Update,
} from '../support/wholeN8n/TelegramBot.mjs';

const ANN = 7001;
const BOB = 7002;
const WHAT_TO_SEND = /^Please send me a photo with a caption that says what to change/;

/** The example of a bot, with messages as Telegram sends them. */
export function telegramBotCases(fixture: Fixture): void {
	describe('Telegram Bot', () => {
		const bot = new TelegramBot();
		let workflow: { id: string; path: string };
		let executions = 0;
		let alreadySent = 0;
		/** Charges before those of the bot. */
		let earlierCharges = 0;
		let albums = 0;

		before(async () => {
			const credentials = await bot.start(fixture);
			earlierCharges = fixture.sandbox.ledger.length;
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
		beforeEach(() => {
			alreadySent = bot.sent.length;
		});

		/** Posts updates at the same time, and waits until n8n has done with all of them. */
		const post = async (...updates: readonly Update[]): Promise<void> => {
			await Promise.all(updates.map(async (update) => await bot.post(update)));
			executions += updates.length;
			const all = await fixture.api.finished(workflow.id, executions);
			all.forEach(assertSuccess);
		};
		const answers = () => bot.sent.slice(alreadySent);
		/** The updates for an album: one for each of its contents. */
		const album = (chat: number, contents: readonly Content[]): Update[] => {
			const media_group_id = `1374${++albums}`;
			return contents.map((content) => bot.update(chat, { ...content, media_group_id }));
		};
		const charged = () => fixture.charged().map(({ fields }) => fields['text']);
		const outputs = async () => {
			const jobs = fixture.charged().map(async ({ jobId }) => await fixture.sandbox.output(jobId));
			return (await Promise.all(jobs)).map((bytes) => bytes.toString('base64')).sort();
		};
		/** Asserts that each message got its own photo, edited, as the service made it. The photos differ in width. */
		const assertEdited = async (updates: readonly Update[], widths: readonly number[]) => {
			const photos = answers();
			assert.deepEqual(photos.map(({ file }) => file.toString('base64')).sort(), await outputs());
			const widthOf = async (update: Update) => {
				const [answer, ...more] = photos.filter(isReplyTo(update));
				assert.deepEqual(more, []);
				return (await sharp(answer?.file).metadata()).width;
			};
			assert.deepEqual(await Promise.all(updates.map(widthOf)), widths);
		};
		const textsFor = (chat: number) =>
			answers().flatMap((sent) => (sent.chat === chat && sent.text !== '' ? [sent.text] : []));

		it('edits all photos of an album by its one caption, and sends each back as a reply to its message', async () => {
			const [one, two, three] = await threePhotos(200);
			const caption = 'Make it grayscale';
			const updates = album(ANN, [
				bot.photo(one),
				{ ...bot.photo(two), caption },
				bot.photo(three),
			]);
			await post(...updates);

			assert.deepEqual(charged(), [caption, caption, caption]);
			assert.deepEqual(new Set(answers().map(({ chat }) => chat)), new Set([ANN]));
			await assertEdited(updates, [200, 220, 240]);
		});

		it('keeps two albums apart that come at once and in any order, and buys nothing twice if Telegram repeats their updates', async () => {
			const [one, two, three] = await threePhotos(300);
			const [four, five] = await threePhotos(400);
			const [a1, a2, a3] = album(ANN, [
				bot.photo(one),
				bot.photo(two),
				{ ...bot.photo(three), caption: 'Make it sepia' },
			]);
			const [b1, b2] = album(BOB, [{ ...bot.photo(four), caption: 'Invert it' }, bot.photo(five)]);
			assert.ok(a1 && a2 && a3 && b1 && b2);
			await post(b2, a3, a1, b2, b1, a2, a1, a3);
			await post(a1, b1, b2);

			assert.deepEqual(charged().sort(), [
				...Array<string>(2).fill('Invert it'),
				...Array<string>(3).fill('Make it sepia'),
			]);
			assert.deepEqual(
				answers()
					.map(({ chat }) => chat)
					.sort(),
				[ANN, ANN, ANN, BOB, BOB],
			);
			await assertEdited([a1, a2, a3, b1, b2], [300, 320, 340, 400, 420]);
		});

		it('edits a photo that comes late by the caption of its album, and the others only once', async () => {
			const [one, two, three] = await threePhotos(500);
			const caption = 'Make it blue';
			const [first, second, late] = album(ANN, [
				{ ...bot.photo(one), caption },
				bot.photo(two),
				bot.photo(three),
			]);
			assert.ok(first && second && late);
			await post(first, second);
			assert.deepEqual(charged(), [caption, caption]);
			await post(late);

			assert.deepEqual(charged(), [caption, caption, caption]);
			await assertEdited([first, second, late], [500, 520, 540]);
		});

		it('edits a single photo once, also one that is sent as a file and one whose update Telegram repeats', async () => {
			const [one, two] = await threePhotos(600);
			const single = bot.update(ANN, { ...bot.photo(one), caption: 'Make it brighter' });
			const file = bot.update(BOB, {
				...bot.document(two, 'IMG_1234.JPG', 'image/jpeg'),
				caption: 'Make it darker',
			});
			await post(single, file, single);
			await post(single);

			assert.deepEqual(charged().sort(), ['Make it brighter', 'Make it darker']);
			await assertEdited([single, file], [600, 620]);
		});

		it('answers each message that is no photo with a caption once, with what to send, and buys nothing', async () => {
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
				'a caption added later': (chat) => [
					bot.editedUpdate(chat, { ...bot.photo(photo), caption }),
				],
				'an album without a caption': (chat) => album(chat, [bot.photo(photo), bot.photo(other)]),
				'an album of PDFs': (chat) => album(chat, [pdf(), { ...pdf(), caption }, pdf()]),
			};
			const names = Object.keys(messages);
			await post(...Object.values(messages).flatMap((updatesFor, chat) => updatesFor(chat)));

			const answered = answers().map(({ chat }) => names[chat]);
			assert.deepEqual(answered.sort(), names.sort());
			for (const { text } of answers()) assert.match(text, WHAT_TO_SEND);
			assert.deepEqual(charged(), []);
		});

		it('edits the photos of an album with a video, and says for the video what to send', async () => {
			const [one, two] = await threePhotos(700);
			const video = { video: { file_id: 'BAACAgIAAxk', mime_type: 'video/mp4', duration: 3 } };
			const caption = 'Make it green';
			const updates = album(ANN, [{ ...video, caption }, bot.photo(one), bot.photo(two)]);
			await post(...updates);

			assert.deepEqual(charged(), [caption, caption]);
			const [text = '', ...more] = textsFor(ANN);
			assert.match(text, WHAT_TO_SEND);
			assert.deepEqual(more, []);
			assert.equal(answers().length, 3);
		});

		it('edits its own result again and again, if somebody sends it back with the same caption', async () => {
			let [file] = await threePhotos(150);
			for (let edits = 1; edits <= 3; edits++) {
				const document = bot.document(file, 'photo.jpg', 'image/jpeg');
				await post(bot.update(ANN, { ...document, caption: 'Make it warmer' }));
				assert.equal(charged().length, edits);
				file = answers().at(-1)?.file ?? file;
			}
		});

		it('says in one sentence that photos could not be edited, without the reason', async () => {
			const [one, two] = await threePhotos(800);
			const wallet = { err: 'The wallet is empty' };
			fixture.sandbox.arm({ fault: 'status', status: 402, body: wallet, times: Infinity });
			const caption = 'Make it red';
			await post(
				bot.update(ANN, { ...bot.photo(one), caption }),
				...album(BOB, [bot.photo(one), { ...bot.photo(two), caption }]),
			);

			assert.deepEqual(textsFor(ANN), [
				'Sorry, I could not edit your photo just now. Please try again later.',
			]);
			assert.deepEqual(textsFor(BOB), [
				'Sorry, I could not edit all of your photos just now. Please try again later.',
			]);
			assert.equal(answers().length, 2);
			assert.deepEqual(charged(), []);
		});

		it('says the same at the limit of a day, and edits what is left until then', async () => {
			const limit = fixture.sandbox.ledger.length - earlierCharges + 1;
			await fixture.api.setOption(workflow, 'Edit Photo', 'maxImagesPerDay', limit);
			const [one, two] = await threePhotos(900);
			const caption = 'Make it sharper';
			await post(...album(ANN, [bot.photo(one), { ...bot.photo(two), caption }]));

			assert.deepEqual(charged(), [caption]);
			assert.deepEqual(textsFor(ANN), [
				'Sorry, I could not edit all of your photos just now. Please try again later.',
			]);
			assert.equal(answers().length, 2);
		});
	});
}

const isReplyTo =
	({ message }: Update) =>
	({ replyTo }: Sent) =>
		replyTo === message?.message_id;

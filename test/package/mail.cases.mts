import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ParsedMail } from 'mailparser';
import sharp from 'sharp';
import type { LedgerEntry } from '../../sandbox/index.js';
import { cache } from '../../scripts/tools/checkout.mjs';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { assertSuccess, rowsOf } from '../support/wholeN8n/execution.mjs';
import { photoOf, threePhotos, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { appleMail, gmail, mailbox, textMail } from '../support/wholeN8n/mails.mjs';
import { startImap, startSmtp } from '../support/wholeN8n/mailServers.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import type { WorkflowNode } from '../support/wholeN8n/workflow.mjs';

/** Mail Attachments with a real mailbox, and an SMTP server that keeps what n8n sends. */
export function mailCases(fixture: Fixture, hostName: string): void {
	describe('Mail Attachments', () => {
		let imap: Awaited<ReturnType<typeof startImap>>;
		let smtp: Awaited<ReturnType<typeof startSmtp>>;
		let workflowId: string;
		/** Mails that n8n has received. */
		let received = 0;
		/** What the mails of many senders, received at once, have cost. */
		let bought: LedgerEntry[];

		const credential = async (type: string, data: object) => {
			const id = await fixture.api.createCredential(type, type, data);
			return { [type]: { id, name: type } };
		};
		/** Puts mails into the mailbox, and waits until n8n has worked on all of them. */
		const receive = async (...mails: readonly string[]) => {
			for (const mail of mails) await imap.receive(mail);
			received += mails.length;
			await until(`${received} mails are worked on`, async () => {
				const executions = await fixture.api.finished(workflowId, 0);
				for (const execution of executions) assertSuccess(execution);
				const rows = executions.flatMap((execution) => rowsOf(execution, 'Email Trigger (IMAP)'));
				return rows.length === received;
			});
		};
		const answersTo = (sender: string) =>
			smtp.sent.filter(({ to }) => [to].flat().some((address) => address?.text === sender));
		/** What the only answer to a sender says. */
		const textTo = (sender: string) => {
			const [answer, ...others] = answersTo(sender);
			assert.deepEqual(others, []);
			assert.deepEqual(answer?.attachments, []);
			return answer.text?.trim() ?? '';
		};
		const imagesOf = (answers: readonly ParsedMail[]) =>
			answers.flatMap(({ attachments }) => attachments.map(({ content }) => content));

		before(async () => {
			const folder = join(cache, 'e2e', `mail-${hostName}`);
			imap = await startImap(folder);
			smtp = await startSmtp();
			const body = shipped(fixture, 'mail-attachments.json');
			const accounts: Partial<Record<string, WorkflowNode['credentials']>> = {
				'n8n-nodes-base.emailReadImap': await credential('imap', imap.account),
				'n8n-nodes-base.emailSend': await credential('smtp', smtp.account),
			};
			for (const node of body.nodes) {
				const account = accounts[node.type];
				if (account !== undefined) node.credentials = account;
			}
			workflowId = await fixture.api.createWorkflow(body);
			await fixture.api.activate(workflowId);
			// n8n 2.41.1 sees earlier mails only with the next one.
			await until('n8n has opened the mailbox', imap.isOpen);

			const [one, two] = await threePhotos(95);
			const photo = { name: 'IMG_1.jpeg', content: photoOf(`mail ${hostName}`) };
			const damaged = { name: 'IMG_2.jpeg', content: photo.content.subarray(0, 5000) };
			const later = { name: 'IMG_3.jpeg', content: photoOf(`later ${hostName}`) };
			const pdf = { name: 'prices.pdf', content: Buffer.from('%PDF-1.7') };
			const empty = { err: 'The wallet is empty' };
			fixture.sandbox.arm({ fault: 'status', status: 402, body: empty, when: later.name });
			const subject = 'My bike';
			const charged = fixture.sandbox.ledger.length;
			await receive(
				appleMail(
					{ from: 'Ann <ann@example.com>', subject },
					{ name: 'IMG_1234.jpeg', content: one },
					{ name: 'IMG_1235.jpeg', content: two },
				),
				gmail({ from: 'gmail@example.com', subject }, 'image/jpeg', { ...photo, name: 'Rad.jpg' }),
				gmail({ from: 'pdf@example.com', subject }, 'application/pdf', pdf),
				textMail({ from: 'text@example.com', subject }),
				appleMail({ from: 'damaged@example.com', subject }, damaged),
				appleMail({ from: 'later@example.com', subject }, later),
				textMail({
					from: 'away@example.com',
					subject,
					headers: { 'Auto-Submitted': 'auto-replied' },
				}),
				textMail({ from: 'bulk@example.com', subject, headers: { Precedence: 'bulk' } }),
				textMail({ from: 'bounce@example.com', subject, headers: { 'Return-Path': '<>' } }),
				appleMail({ from: `Photos <${mailbox.toUpperCase()}>`, subject }, photo),
			);
			bought = fixture.sandbox.ledger.slice(charged);
		});
		after(async () => {
			await fixture.api.deactivate(workflowId);
			await smtp.stop();
			await imap.stop();
		});

		it('answers an iPhone, whose photos are inline, with the cut-out of each of them', async () => {
			const answers = answersTo('ann@example.com');

			const names = answers.map(({ attachments }) => attachments[0]?.filename ?? '');
			assert.equal(names.length, 2);
			assert.match(names.join(), /^IMG_1234-no-background-\w{6}\.png,IMG_1235-.*\.png$/);
			assert.deepEqual(
				answers.map(({ from, subject, text }) => [from?.text, subject, text?.trim()]),
				names.map((name) => [
					mailbox,
					'Re: My bike',
					`Here is ${name}, with a transparent background.`,
				]),
			);
			const widths = imagesOf(answers).map(async (image) => (await sharp(image).metadata()).width);
			assert.deepEqual(await Promise.all(widths), [95, 115]);
		});

		it('answers Gmail, whose photo is an attachment, with its cut-out', () => {
			const [answer, ...others] = answersTo('gmail@example.com');

			assert.deepEqual(others, []);
			assert.match(answer?.attachments[0]?.filename ?? '', /^Rad-no-background-\w{6}\.png$/);
		});

		it('sends the exact bytes that the service made, and buys nothing but these three', async () => {
			const made = bought.map(async ({ jobId }) => await fixture.sandbox.output(jobId));
			const inOrder = (images: readonly Buffer[]) =>
				images.map((image) => image.toString('base64')).sort();

			assert.equal(bought.length, 3);
			assert.deepEqual(inOrder(imagesOf(smtp.sent)), inOrder(await Promise.all(made)));
		});

		it('tells who sends no photo what to send', () => {
			for (const sender of ['pdf@example.com', 'text@example.com']) {
				assert.equal(
					textTo(sender),
					'There is no photo to work on in your email. Attach a JPG, PNG or WebP file, and send it again.',
				);
			}
		});

		it('tells a sender why the service refuses a photo, but nothing of an empty wallet', () => {
			assert.match(
				textTo('damaged@example.com'),
				/^IMG_2\.jpeg could not be processed: .*cannot be decoded/,
			);
			assert.equal(
				textTo('later@example.com'),
				'Your photo could not be processed just now. Send it again later.',
			);
		});

		it('never answers an automatic reply, bulk mail, a bounce or a mail of its own', () => {
			const senders = ['away', 'bulk', 'bounce', 'photos'].map((name) => `${name}@example.com`);
			assert.deepEqual(senders.flatMap(answersTo), []);
		});

		it('buys at most 20 cut-outs at once, and answers the photo beyond them as well', async () => {
			const photos = Array.from({ length: 21 }, async (_, index) => ({
				name: `IMG_${index}.jpeg`,
				content: await sharp(photoOf(''))
					.resize(20 + index)
					.jpeg()
					.toBuffer(),
			}));
			const from = 'many@example.com';
			await receive(appleMail({ from, subject: 'All of them' }, ...(await Promise.all(photos))));

			assert.equal(fixture.charged().length, 20);
			const answers = answersTo(from);
			assert.equal(answers.length, 21);
			assert.equal(imagesOf(answers).length, 20);
			assert.match(answers.at(-1)?.text ?? '', /^Your photo could not be processed just now\./);
		});
	});
}

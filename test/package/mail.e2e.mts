import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ParsedMail } from 'mailparser';
import sharp from 'sharp';
import type { LedgerEntry } from '../../sandbox/index.js';
import { cache } from '../../scripts/tools/checkout.mjs';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { assertSuccess, rowsOf } from '../support/wholeN8n/execution.mjs';
import { photoOf, threePhotos, useFixture } from '../support/wholeN8n/fixture.mjs';
import { startImap, startSmtp } from '../support/wholeN8n/mailServers.mjs';
import { until, untilN8n } from '../support/wholeN8n/until.mjs';
import type { WorkflowNode } from '../support/wholeN8n/workflow.mjs';

/** With a real mailbox, and an SMTP server that keeps what n8n sends. */
describe('The example Mail Attachments', () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'mail' });
	let imap: Awaited<ReturnType<typeof startImap>>;
	let smtp: Awaited<ReturnType<typeof startSmtp>>;
	let workflowId: string;
	/** What the mails of many senders, received at once, have cost. */
	let bought: LedgerEntry[];

	const credential = async (type: string, data: object) => {
		const id = await fixture.api.createCredential(type, type, data);
		return { [type]: { id, name: type } };
	};
	/** Puts mails into the mailbox, and waits until n8n has worked on all of them. */
	const receive = async (...mails: readonly string[]) => {
		for (const mail of mails) await imap.receive(mail);
		await untilN8n(`${mails.length} mails are worked on`, async () => {
			const executions = await fixture.api.finished(workflowId, 0);
			for (const execution of executions) assertSuccess(execution);
			const rows = executions.flatMap((execution) => rowsOf(execution, 'Email Trigger (IMAP)'));
			return rows.length === mails.length;
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
		const folder = join(cache, 'e2e', 'mail');
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
		const photo = { name: 'IMG_1.jpeg', content: photoOf('mail') };
		const damaged = { name: 'IMG_2.jpeg', content: photo.content.subarray(0, 5000) };
		const later = { name: 'IMG_3.jpeg', content: photoOf('later') };
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
});

/** The mailbox of the tests. */
const mailbox = 'photos@example.com';

/** A photo in a mail. */
interface MailedPhoto {
	name: string;
	content: Buffer;
}

/** Who sends a mail, and what its header says besides. */
interface Envelope {
	from: string;
	subject: string;
	headers?: Record<string, string>;
}

/** A mail as an iPhone writes it: its photos are inline, between parts of its text. */
function appleMail(envelope: Envelope, ...photos: readonly MailedPhoto[]): string {
	const text = (html: string) => [
		'Content-Type: text/html; charset=utf-8',
		'Content-Transfer-Encoding: 7bit',
		'',
		`<html><head></head><body dir="auto">${html}</body></html>`,
	];
	const parts = photos.flatMap(({ name, content }) => [
		[
			`Content-Type: image/jpeg;\r\n\tname=${name};\r\n\tx-apple-part-url=${crypto.randomUUID()}`,
			`Content-Disposition: inline;\r\n\tfilename=${name}`,
			'Content-Transfer-Encoding: base64',
			'',
			base64(content),
		],
		text('<br>'),
	]);
	return mailOf(
		{
			...envelope,
			headers: { 'X-Mailer': 'iPhone Mail (22F76)', ...envelope.headers },
		},
		multipart('mixed', [text('Here they are.<br>'), ...parts]),
	);
}

/** A mail as Gmail writes it, with an attachment. */
function gmail(envelope: Envelope, type: string, { name, content }: MailedPhoto): string {
	const text = (kind: string, words: string) => [
		`Content-Type: text/${kind}; charset="UTF-8"`,
		'',
		words,
	];
	const id = 'f_m9k3f9q20';
	return mailOf(
		envelope,
		multipart('mixed', [
			multipart('alternative', [
				text('plain', 'Here it is.'),
				text('html', '<div>Here it is.</div>'),
			]),
			[
				`Content-Type: ${type}; name="${name}"`,
				`Content-Disposition: attachment; filename="${name}"`,
				'Content-Transfer-Encoding: base64',
				`X-Attachment-Id: ${id}`,
				`Content-ID: <${id}>`,
				'',
				base64(content),
			],
		]),
	);
}

/** A mail of nothing but text. */
function textMail(envelope: Envelope): string {
	return mailOf(envelope, ['Content-Type: text/plain; charset=utf-8', '', 'Hello']);
}

/** A mail with its header, to the mailbox. */
function mailOf({ from, subject, headers = {} }: Envelope, body: readonly string[]): string {
	const all = {
		From: from,
		To: mailbox,
		Subject: subject,
		Date: new Date().toUTCString(),
		'Message-ID': `<${crypto.randomUUID()}@example.com>`,
		'MIME-Version': '1.0',
		...headers,
	};
	const header = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return [...header, ...body, ''].join('\r\n');
}

/** Parts of a mail as one part. */
function multipart(kind: string, parts: readonly string[][]): string[] {
	const boundary = `=_${crypto.randomUUID()}`;
	return [
		`Content-Type: multipart/${kind}; boundary="${boundary}"`,
		'',
		...parts.flatMap((part) => [`--${boundary}`, ...part]),
		`--${boundary}--`,
		'',
	];
}

function base64(content: Buffer): string {
	return content.toString('base64').replace(/.{76}/g, '$&\r\n');
}

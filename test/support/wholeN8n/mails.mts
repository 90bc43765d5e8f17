/** The mailbox of the tests. */
export const mailbox = 'photos@example.com';

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
export function appleMail(envelope: Envelope, ...photos: readonly MailedPhoto[]): string {
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
export function gmail(envelope: Envelope, type: string, { name, content }: MailedPhoto): string {
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
export function textMail(envelope: Envelope): string {
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

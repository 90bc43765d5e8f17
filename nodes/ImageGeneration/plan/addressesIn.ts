import { IMAGE_EXTENSIONS, IMAGE_EXTENSION } from '../images/imageType';

/** Characters that nobody sees, and that are never part of an address. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A link of Slack: `<address|text>`. */
const SLACK_LINK = /<(https?:\/\/[^\s<>|]+)\|[^<>]{0,1000}>/gi;

/** An address in brackets, as in a link of Markdown or in Airtable's `a.jpg (address),b.jpg (address)`. */
const BRACKETED = /\((https?:\/\/[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)/gi;

/** Tags of a web page or of a mail, whose only images are its `<img>`. Others, such as `<br>`, may separate addresses. */
const HTML = /<(?:a|body|head|html|iframe|img|link|meta|script|style|svg|table|video)\b/i;
const COMMENT = /<!--(?:-?>|[^]*?(?:-->|$))/g;
const IMG = /<img\b[^<>]*/gi;
/** A pixel that counts who reads a mail. */
const PIXEL = /\swidth\s?=\s?["']?[0-2](?:px)?["'\s/]/i;
/** Where an image has its address. A page that loads it late shows a small GIF or SVG until then. A script completes `{width}`. */
const LATE_SOURCE =
	/\sdata-(?:src|lazy-src|original)\s*=\s*["']?((?:https?:|\/\/)[^\s"'<>{]+)(?![^\s"'<>])/i;
const SOURCE = /\ssrc\s*=\s*["']?(?!data:image\/(?:gif|svg))((?:https?:|data:|\/\/)[^\s"'<>]+)/i;

const MARKDOWN_IMAGE =
	/!\[[^[\]]{0,1000}\]\(<?((?:https?:|data:|\/\/)[^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*)/gi;

/** What separates the entries of a list: a comma within an address is part of it. */
const SEPARATOR =
	/[\r\n]+|(?:\\[nr])+|(?<![,;|、，；])[,;|、，；]+(?=\s|\s{0,20}["'“‘([<]*(?:https?:\/\/|data:image\/|www\.|\/\/\w))/gi;

/** An entry that is one address, in which the name of a file may have spaces. */
const ONE_ADDRESS = new RegExp(
	`^https?://(?:(?!https?://| www\\.)[^"<>?])+\\.(?:${IMAGE_EXTENSIONS})(?:\\?[^\\s"<>]*)?$`,
	'i',
);

const WORD = /[^\s"<>`“”„«»\\]+/g;

/** Where an address begins in a word. Only a browser knows a `blob:`. */
const BEGINNING = /(?<!blob:)https?:\/\/|data:image\//i;

/** How an address begins that lacks its scheme, or has one that no service opens. */
const UNFINISHED = /^['‘([{]*((?:www\.|ftp:\/\/|\/\/[\w-]+\.).+)/i;

/** Bullets, numbers and spaces before an entry. */
const BULLET = /^\s*(?:[-•*]\s|\d{1,4}[.)]\s)?\s*/;

/**
 * The web addresses and `data:` addresses that a text holds, in order: of HTML and Markdown only the pictures. An
 * entry beside them that lacks the beginning of an address is one as well, so that it is not left out silently.
 */
export function* addressesIn(written: string): Generator<string> {
	const text = readable(written);
	const pictures = HTML.test(text) ? picturesInHtml(text) : picturesInMarkdown(text);
	if (pictures !== undefined) yield* pictures.map(withScheme);
	else
		for (const entry of listed(text)) yield* addressesInEntry(entry.replace(BULLET, '').trimEnd());
}

/** Text as a person reads it. JSON and web pages write some characters in other ways. */
function readable(text: string): string {
	return text
		.replace(INVISIBLE, '')
		.replace(/&(?:amp;|#0?38;|#x26;)+|\\u0026/gi, '&')
		.replaceAll('&nbsp;', ' ')
		.replaceAll('\\/', '/')
		.replace(SLACK_LINK, '<$1>');
}

function picturesInHtml(html: string): string[] {
	const tags = html.replace(COMMENT, '').match(IMG) ?? [];
	return tags
		.filter((tag) => !PIXEL.test(tag))
		.map((tag) => (LATE_SOURCE.exec(tag) ?? SOURCE.exec(tag))?.[1] ?? '')
		.filter((address) => address !== '');
}

function picturesInMarkdown(text: string): string[] | undefined {
	const found = Array.from(text.matchAll(MARKDOWN_IMAGE), ([, address = '']) => address);
	return found.length > 0 ? found : undefined;
}

function listed(text: string): string[] {
	return text.replace(BRACKETED, ' $1 ').split(SEPARATOR);
}

/** An address without a scheme takes that of its page, which is secure. */
function withScheme(address: string): string {
	return address.startsWith('//') ? `https:${address}` : address;
}

function* addressesInEntry(entry: string): Generator<string> {
	const isName = !/[\s"']/.test(entry) && IMAGE_EXTENSION.test(entry);
	if (ONE_ADDRESS.test(entry)) yield withoutPunctuation(entry);
	else if (isName && !BEGINNING.test(entry)) yield withScheme(entry);
	else yield* addressesInWords(entry);
}

function* addressesInWords(entry: string): Generator<string> {
	for (const [word] of entry.matchAll(WORD)) {
		const start = word.search(BEGINNING);
		const [, unfinished] = UNFINISHED.exec(word) ?? [];
		if (start >= 0) yield withoutPunctuation(word.slice(start));
		else if (unfinished !== undefined) yield withScheme(withoutPunctuation(unfinished));
	}
}

/** The most that a sentence has behind an address, and the end of an address in which brackets are counted. */
const MOST_PUNCTUATION = 10;
const LONGEST_END = 2000;

const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** An address without what belongs to the sentence around it: its last dot, or a bracket that it did not open. */
function withoutPunctuation(address: string): string {
	const isOfSentence = (end: number) => {
		const last = address.charAt(end - 1);
		const opening = OPENING[last];
		if (opening === undefined) return /[.,;:!|…、，；。！'’*]/.test(last);
		const start = address.slice(Math.max(0, end - LONGEST_END), end);
		return start.split(last).length > start.split(opening).length;
	};
	const least = Math.max(0, address.length - MOST_PUNCTUATION);
	let end = address.length;
	while (end > least && isOfSentence(end)) end--;
	return address.slice(0, end);
}

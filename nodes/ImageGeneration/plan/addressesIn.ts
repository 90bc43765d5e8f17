import { beginsLikeWebAddress } from '../values/webAddress';
import { partialAddresses } from './partialAddresses';
import { beginsLikeImage, isDataUrl } from './pastedImage';
import { imagesInHtml, isHtml, readable } from './readableText';
import { isOfImage, search, WebAddress, withoutPunctuation } from './webAddress';

/** Whether a text is an image itself: a `data:` address, or base64. */
export function isPastedImage(text: string): boolean {
	return isDataUrl(text) || beginsLikeImage(text);
}

/**
 * The different web addresses that a text holds, in order, whatever stands between them. An image in a
 * `data:` address or in base64 counts as one, and so does an entry of a list that is an address without its
 * beginning, so that it is not left out silently. HTML gives the images that it shows.
 */
export function addressesIn(written: string): string[] {
	const text = readable(written).trim();
	return [...new Set(isHtml(text) ? imagesInHtml(text) : addressesInText(withSchemes(text)))];
}

/** Where an address begins that takes its scheme from its page, as Contentful and Shopify write them. */
const NO_SCHEME = /(?<=^|[\s"'“<([,;|])\/\/(?=[\w-]+\.)/g;

/** Completes addresses without a scheme, except in a text with an address whose query has a list of them. */
function withSchemes(text: string): string {
	return text.includes('=//') ? text : text.replace(NO_SCHEME, 'https://');
}

/** An address in a text, which goes on at `end`. */
interface Found {
	start: number;
	end: number;
	address: string;
}

function addressesInText(text: string): string[] {
	const parts: string[][] = [];
	const hasImages = MARKDOWN_IMAGE.test(text);
	let position = 0;
	let found = nextAddress(text, position);
	while (found !== undefined) {
		const gap = text.slice(position, found.start);
		const isPage = hasImages && MARKDOWN_LINK.test(gap) && !isOfImage(found.address);
		parts.push(partialAddresses(gap), isPage || isLinkOfImage(gap) ? [] : [found.address]);
		position = found.end;
		found = nextAddress(text, position);
	}
	return [...parts, partialAddresses(text.slice(position))].flat();
}

/** What stands before an image in Markdown, and before a link, which beside images leads to a page. */
const MARKDOWN_IMAGE = /!\[[^[\]]{0,1000}\]\(/;
const MARKDOWN_LINK = /(?<!!)\[[^[\]]*\]\($/;

/** Whether Markdown has an image, and here the page that it links to: `[![…](image)](page)`. */
function isLinkOfImage(gap: string): boolean {
	return /^(?: "[^"]*")?\)\]\($/.test(gap);
}

/** Where an address begins, or perhaps, as an entry of a list, an image in base64. Only browsers know a `blob:`. */
const BEGINNING =
	/(?<!\bblob:)https?:\/\/|\bdata:(?=[\w.+-]*\/|[;,])|(?<=(?:^|[\r\n"'`“<([,;|])[ \t]?)[\w+/-]{16}/gi;

/** Finds the first address that begins at a position or after it. */
function nextAddress(text: string, from: number): Found | undefined {
	let match = search(BEGINNING, text, from);
	while (match !== null) {
		const { index: start } = match;
		if (beginsLikeWebAddress(match[0])) return webAddressAt(text, start, text.slice(from, start));
		if (isImageAt(text, start)) return imageAt(text, start);
		match = search(BEGINNING, text, start + 1);
	}
	return undefined;
}

/** Characters that are no part of an image. Commas and spaces are none before another address. */
const IMAGE_END = /["'`“”<>()[\]{}]|(?<![\s,;|])[\s,;|]+(?=["'“<([]*(?:https?:\/\/|data:))/gi;

/** Characters by which an image in base64 is known. In an SVG, which begins with `<`, much may come first. */
const LONGEST_BEGINNING = 200;
const LONGEST_SVG_BEGINNING = 2000;

function isImageAt(text: string, start: number): boolean {
	const length = text[start] === 'P' ? LONGEST_SVG_BEGINNING : LONGEST_BEGINNING;
	return isPastedImage(imageAt(text.slice(start, start + length), 0).address);
}

function imageAt(text: string, start: number): Found {
	const end = search(IMAGE_END, text, start)?.index ?? text.length;
	const lines = text.slice(start, end).split(/[\r\n]+/);
	const address = lines.map((line) => line.trim()).join('');
	return { start, end, address: address.replace(/(?<![\s,;|])[\s,;|]+$/, '') };
}

function webAddressAt(text: string, start: number, gap: string): Found {
	const end = new WebAddress(text, start, gap).end();
	return { start, end, address: withoutPunctuation(text.slice(start, end), gap) };
}

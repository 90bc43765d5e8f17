/** Characters that nobody sees, and that are never part of an address. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** How web pages write characters. A page within a page writes `&amp;` for each `&` once more. */
const ENTITY =
	/&(?:amp;)*(?:(?:amp|(lt|gt|quot|apos|nbsp));|#(\d{1,7});|#x([\da-f]{1,6});)|&(?:amp;)+/gi;

const NAMED: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Text as a person reads it: without invisible characters, and with `&` for `&amp;`. */
export function readable(text: string): string {
	return (
		text
			.replace(INVISIBLE, '')
			.replace(ENTITY, (_entity, name?: string, decimal?: string, hex?: string) => {
				if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
				if (decimal !== undefined) return character(Number(decimal));
				return hex === undefined ? '&' : character(parseInt(hex, 16));
			})
			// As JSON writes them.
			.replaceAll('\\/', '/')
			.replace(/\\u0026/gi, '&')
	);
}

function character(code: number): string {
	return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Tags that lead elsewhere, or that only a web page or a mail has. Others, such as `<br>`, may separate addresses. */
const HTML = /<(?:a|body|head|html|iframe|img|link|meta|script|style|svg|table|video)\b/i;

/** Whether a text is a part of a web page or of a mail, whose only images are its `<img>`. */
export function isHtml(text: string): boolean {
	return HTML.test(text);
}

const COMMENT = /<!--(?:-?>|[\s\S]*?(?:-->|$))/g;

/** A tag, whose values may have brackets in quotes. */
const IMG = /<img\b(?:=\s{0,9}(?:"[^"]*"|'[^']*')|[^<>])*/gi;
const ATTRIBUTE = /(?<![\w-])([\w-]{1,30})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** Where images have their address. Pages that load them late have a placeholder in `src`. */
const SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'src'];

/** The addresses of the images in HTML, without the pixels that count who reads a mail. */
export function imagesInHtml(html: string): string[] {
	return [...html.replace(COMMENT, '').matchAll(IMG)].flatMap(([tag]) => {
		const attributes = attributesOf(tag);
		const isPixel = ['width', 'height'].every((side) =>
			/^[0-2](?:px)?$/.test(attributes[side] ?? ''),
		);
		const [address] = SOURCES.flatMap((name) => fullAddress(attributes[name]));
		// The page replaces it with one of several sizes.
		const isPlaceholder = 'data-srcset' in attributes && address?.startsWith('data:') === true;
		return address === undefined || isPixel || isPlaceholder ? [] : [address];
	});
}

function attributesOf(tag: string): Record<string, string> {
	return Object.fromEntries(
		[...tag.matchAll(ATTRIBUTE)].map(([, name = '', double, single, plain]) => [
			name.toLowerCase(),
			(double ?? single ?? plain ?? '').trim(),
		]),
	);
}

/** What a script replaces, such as `{width}`. */
const PLACEHOLDER = /\{\w{1,30}\}/;

/** An address that a service can open. One of a page without a scheme takes that of the page, which is secure. */
function fullAddress(address = ''): string[] {
	if (PLACEHOLDER.test(address)) return [];
	if (/^\/\/[\w-]+\./.test(address)) return [`https:${address}`];
	return /^(?:https?:\/\/|data:)/i.test(address) ? [address] : [];
}

import { IMAGE_EXTENSION } from '../images/imageType';

/** Bullets, numbers and quotes before an entry of a list. */
const BULLET = /^(?:[\s"'“‘•*–-]+|\d{1,4}[.)]\s)+/;

/** How an address without its beginning begins. */
const BEGINNING = /^(?:www\.|\/\/[\w-]+\.|[a-z][a-z\d+.-]{1,20}:\/\/)/i;

/**
 * Entries of a list that look like an address but lack its beginning, such as `b.jpg`. One that begins with
 * two slashes lacks only the scheme of its page.
 * @param text One without web addresses.
 */
export function partialAddresses(text: string): string[] {
	return text.split(/[\r\n,;|]/).flatMap((line) => {
		const entry = line.replace(BULLET, '').trimEnd();
		const isWord = entry !== '' && !/\s/.test(entry);
		if (!isWord || !(BEGINNING.test(entry) || IMAGE_EXTENSION.test(entry))) return [];
		return entry.startsWith('//') ? `https:${entry}` : entry;
	});
}

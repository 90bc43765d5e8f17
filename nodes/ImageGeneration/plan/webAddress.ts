import { IMAGE_EXTENSION } from '../images/imageType';

/** Searches a text from a position on. @param pattern One with the flag `g` or `y`. */
export function search(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
	pattern.lastIndex = from;
	return pattern.exec(text);
}

/** What may end an address. Commas and the like only separate it from another one. */
const MARK = new RegExp(
	[
		'(?<scheme>https?://)',
		"(?<separator>(?<![,;|、，；])[,;|、，；]+(?=['‘([]*(?:https?://|data:[\\w.+-]*[/;])))",
		'(?<bar>\\|)',
		'(?<opening>[([{](?!/))',
		'(?<closing>[)\\]}])',
		"(?<quote>['‘’])",
		'(?<query>\\?)',
		'(?<space> )',
		'(?<never>[\\s"<>`\\\\“”„«»]|\\[/)',
	].join('|'),
	'gi',
);

/** Quotes and brackets before an address of a list. */
const OPENINGS = /['‘([]*/y;

const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Finds the end of a web address in a text. Brackets, quotes and commas can be a part of it. */
export class WebAddress {
	/** How many brackets of each kind are open within the address. */
	private readonly open: Record<string, number> = {};
	/** The address up to its query, and the question mark; empty if it has none. */
	private beforeQuery = '';
	/** Whether the query has an address, and so may have a list of them. */
	private hasNested = false;

	/**
	 * @param gap The text between the address and the one before it.
	 */
	constructor(
		private readonly text: string,
		private readonly start: number,
		private readonly gap: string,
	) {}

	end(): number {
		let mark = search(MARK, this.text, this.start + 'http://'.length);
		while (mark !== null) {
			const length = this.lengthOfPart(mark);
			if (length === 0) return mark.index;
			mark = search(MARK, this.text, mark.index + length);
		}
		return this.text.length;
	}

	/** How much of the text from a mark on is a part of the address; 0 if it ends there. */
	private lengthOfPart(mark: RegExpExecArray): number {
		if (mark.groups?.space !== undefined) return this.lengthOfNameAt(mark.index);
		return this.isPart(mark) ? mark[0].length : 0;
	}

	private isPart({ index, 0: found, groups = {} }: RegExpExecArray): boolean {
		const { scheme, separator, bar, opening, closing, quote, query } = groups;
		if (scheme !== undefined) return this.isPartAsScheme(index);
		if (separator !== undefined) return this.hasNested && !this.isAlikeAt(index + found.length);
		// Slack writes a link as `<address|text>`.
		if (bar !== undefined) return !this.gap.endsWith('<');
		if (closing !== undefined) return this.isPartAsClosing(found);
		if (quote !== undefined) return !this.isClosingQuote(index);
		if (opening !== undefined) this.open[opening] = this.countOpen(opening) + 1;
		if (query !== undefined) this.beforeQuery ||= this.text.slice(this.start, index + 1);
		return opening !== undefined || query !== undefined;
	}

	/** An address within the address, unless a list lacks its separator: `a.jpghttps://…`. */
	private isPartAsScheme(index: number): boolean {
		this.hasNested ||= this.beforeQuery !== '' && this.text[index - 1] === '=';
		return !IMAGE_EXTENSION.test(this.text.slice(Math.max(this.start, index - 6), index));
	}

	/** Whether the next address of a list has the same host and path, and so is none in the query. */
	private isAlikeAt(index: number): boolean {
		const opening = search(OPENINGS, this.text, index)?.[0] ?? '';
		return this.text.startsWith(this.beforeQuery, index + opening.length);
	}

	/** The bracket may have been opened before the address, as in Markdown. */
	private isPartAsClosing(bracket: string): boolean {
		const opening = OPENING[bracket] ?? '';
		const count = this.countOpen(opening);
		this.open[opening] = Math.max(0, count - 1);
		return count > 0 || this.gap.lastIndexOf(opening) <= this.gap.lastIndexOf(bracket);
	}

	private countOpen(bracket: string): number {
		return this.open[bracket] ?? 0;
	}

	private isClosingQuote(index: number): boolean {
		const next = this.text[index + 1] ?? '';
		return /['‘]$/.test(this.gap) && (next === '' || /[\s,;|)\]}>]/.test(next));
	}

	/** The rest of a file's name that has spaces, such as `…/my photos/a fox.jpg`. */
	private lengthOfNameAt(index: number): number {
		const address = this.text.slice(this.start, index);
		if (this.beforeQuery !== '' || !/^https?:\/\/[^/]+\//i.test(address)) return 0;
		if (IMAGE_EXTENSION.test(address.slice(-LONGEST_EXTENSION))) return 0;
		if (SEPARATES.test(address)) return 0;
		const words = search(WORDS, this.text, index)?.[0].split(' ').slice(1) ?? [];
		const last = words.findIndex((word) => IMAGE_EXTENSION.test(withoutPunctuation(word)));
		return words.slice(0, last + 1).join(' ').length + (last < 0 ? 0 : 1);
	}
}

const LONGEST_EXTENSION = 20;

/** A text that ends with a separator, behind which a list has its next entry. */
const SEPARATES = /[,;|、，；]$/;

/** A character that can be a part of a name's words. */
const IN_WORD = '[^\\s:/,;|"\'`<>()[\\]?#]';

/** What brackets hold in names: the number of a copy, as in `photo (1).jpg`, or their last word. */
const IN_BRACKETS = `[([]\\d{1,3}[)\\]]|\\(${IN_WORD}{1,30}\\)(?=\\.)`;

/** What words hold between their letters: an apostrophe, or the slash behind a folder's name, which is no host. */
const WITHIN_WORD = "(?<=\\w)'(?=\\w)|(?<= [^\\s./]{1,100})/(?=[^\\s/])";

/** A few words that can be a part of a name, or of a folder's. */
const WORDS = new RegExp(`(?: (?:${IN_WORD}|${IN_BRACKETS}|${WITHIN_WORD}){1,100}){1,9}`, 'y');

/** Punctuation behind an address. A question mark is left: it may begin an empty query. */
const PUNCTUATION = /[.,;:!|…、，；。！'’\u200c\u200d]/;

/**
 * An address without what belongs to the text around it: the dot of its sentence, a bracket that was opened
 * before, or the stars that make it bold.
 */
export function withoutPunctuation(address: string, gap = ''): string {
	const [emphasis = ''] = /[*_~]$/.exec(gap) ?? [];
	const surplus = new Map(
		Object.entries(OPENING).map(([closing, opening]) => [
			closing,
			count(address, closing) - count(address, opening),
		]),
	);
	let end = address.length;
	while (end > 0) {
		const last = address.charAt(end - 1);
		const unopened = surplus.get(last) ?? 0;
		if (unopened <= 0 && last !== emphasis && !PUNCTUATION.test(last)) break;
		surplus.set(last, unopened - 1);
		end--;
	}
	return address.slice(0, end);
}

/** Whether an address ends like the file of an image. */
export function isOfImage(address = ''): boolean {
	return IMAGE_EXTENSION.test(address.split(/[?#]/, 1).join('').slice(-LONGEST_EXTENSION));
}

function count(text: string, character: string): number {
	return text.split(character).length - 1;
}

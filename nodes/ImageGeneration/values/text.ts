/** Cuts a text to this many characters, but never within an emoji. */
export function cut(text: string, most: number): string {
	return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Whether a text has only spaces and characters that nobody sees, such as U+200B. */
export function isBlank(text: string): boolean {
	return !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** Quotes a value in a message, with 80 characters at most. */
export function quote(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'nothing';
	// An expression may also return what is not JSON, such as a function.
	const text = typeof value === 'object' ? JSON.stringify(value, begin) : String(value as unknown);
	return `"${cut(text, MOST_QUOTED)}"`;
}

const MOST_QUOTED = 80;

/** As much of a value as can be shown: an object may have megabytes. */
function begin(_name: string, value: unknown): unknown {
	const isLong = typeof value === 'string' || Array.isArray(value);
	return isLong ? value.slice(0, MOST_QUOTED) : value;
}

/** Adds a period unless the text already ends a sentence. */
export function endSentence(text: string): string {
	return ['.', '!', '?'].includes(text.slice(-1)) ? text : `${text}.`;
}

/** In milliseconds. */
const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 };

/** Milliseconds in words, such as "90 seconds" or "3 hours". */
export function duration(ms: number): string {
	if (ms > 365 * UNITS.day) return 'more than a year';
	// Below two of a unit the smaller one is used: "90 seconds", not "2 minutes".
	const units = Object.entries(UNITS);
	const [unit, length] = units.find(([, larger]) => ms >= 2 * larger) ?? ['second', 1000];
	return counted(Math.max(1, Math.round(ms / length)), unit);
}

/** A number of things in words, such as "1 image" or "1,200 images". */
export function counted(count: number, noun: string): string {
	return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Lists the first entries in words, and says how many more there are. @param where Says where to find them. */
export function listed(entries: readonly string[], where = '', most = 20): string {
	const rest = entries.length - most;
	const more = rest > 0 ? [`${rest} more${where}`] : [];
	// British, because American lists have a comma before "and".
	return new Intl.ListFormat('en-GB').format([...entries.slice(0, most), ...more]);
}

const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Shows a text as it is where n8n renders HTML, which are hints and messages (2.41.1, 1.123.81). */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

/** A web address, without punctuation after it. */
const ADDRESS = /(https?:\/\/[^\s<>"]+(?<![.,:;!?)]))/;

/** Converts plain text to HTML with line breaks and clickable web addresses. */
export function toHtml(text: string): string {
	const parts = text.split(ADDRESS).map((part, index) => {
		const html = escapeHtml(part);
		return index % 2 === 0 ? html : `<a href="${html}" target="_blank">${html}</a>`;
	});
	return parts.join('').replaceAll('\n', '<br>');
}

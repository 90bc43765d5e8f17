/** The deepest nesting that is read. */
export const MAX_DEPTH = 100;

const OPENING = /[{[]/g;
const STRING_STOPS = { '"': /["\\]/g, "'": /['\\]/g };
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const WORD = /-?[a-z]+/iy;
const NAME = /[a-z_$][\w$]*/iy;
const SPACE = /\s*/y;
const BOOLEANS = new Map([
	['true', true],
	['false', false],
]);

/**
 * Finds every object and list in a text, in order, whatever surrounds them. They may be incomplete,
 * contain words such as `NaN`, or use single quotes: whatever can be read is returned. Integers too
 * large for a number are kept as text. Takes linear time.
 */
export function* readLooseJson(text: string): Generator<object> {
	const reader = new Reader(text);
	for (let value = reader.next(); value !== undefined; value = reader.next()) yield value;
}

class Reader {
	#at = 0;

	/** Set if a value is incomplete, which makes all values around it incomplete. */
	#isBroken = false;

	constructor(private readonly text: string) {}

	/** Returns the next outermost object or list. */
	next(): object | undefined {
		OPENING.lastIndex = this.#at;
		const opening = OPENING.exec(this.text);
		if (opening === null) return undefined;
		this.#at = opening.index;
		this.#isBroken = false;
		return this.#nested(0);
	}

	#value(depth: number): unknown {
		const next = this.text[this.#at];
		if (next === '{' || next === '[') {
			if (depth < MAX_DEPTH) return this.#nested(depth);
			this.#isBroken = true;
			return undefined;
		}
		if (next === '"' || next === "'") return this.#string(next);
		const number = this.#take(NUMBER);
		if (number !== undefined) return toNumber(number);
		const word = this.#take(WORD);
		this.#isBroken = word === undefined;
		return word === undefined ? undefined : (BOOLEANS.get(word.toLowerCase()) ?? null);
	}

	#nested(depth: number): object {
		return this.text[this.#at++] === '{' ? this.#object(depth) : this.#list(depth);
	}

	#object(depth: number): object {
		const entries: Array<[string, unknown]> = [];
		while (!this.#isAtEnd('}')) {
			const name = this.#name();
			if (name === undefined || !this.#skip(':')) {
				this.#isBroken = true;
				break;
			}
			const value = this.#value(depth + 1);
			if (value !== undefined) entries.push([name, value]);
			this.#skip(',');
		}
		return Object.fromEntries(entries);
	}

	#list(depth: number): object {
		const values: unknown[] = [];
		while (!this.#isAtEnd(']')) {
			const value = this.#value(depth + 1);
			if (value !== undefined) values.push(value);
			this.#skip(',');
		}
		return values;
	}

	#name(): string | undefined {
		const next = this.text[this.#at];
		return next === '"' || next === "'" ? this.#string(next) : this.#take(NAME);
	}

	/** Incomplete strings are dropped, because an incomplete link does not work. */
	#string(quote: '"' | "'"): string | undefined {
		const start = this.#at;
		const stops = STRING_STOPS[quote];
		stops.lastIndex = start + 1;
		let stop = stops.exec(this.text);
		while (stop?.[0] === '\\') {
			stops.lastIndex = stop.index + 2;
			stop = stops.exec(this.text);
		}
		this.#at = stop === null ? this.text.length : stop.index + 1;
		this.#isBroken = stop === null;
		return stop === null ? undefined : unescapeString(this.text.slice(start + 1, stop.index));
	}

	/** Whether an object or list ends here, complete or not. */
	#isAtEnd(mark: string): boolean {
		return this.#isBroken || this.#skip(mark) || this.#at >= this.text.length;
	}

	/** Skips the mark and the space around it, if it comes next. */
	#skip(mark: string): boolean {
		this.#take(SPACE);
		if (this.text[this.#at] !== mark) return false;
		this.#at++;
		this.#take(SPACE);
		return true;
	}

	#take(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.#at;
		const [found] = pattern.exec(this.text) ?? [];
		this.#at += found?.length ?? 0;
		return found;
	}
}

function toNumber(written: string): number | string {
	const number = Number(written);
	const isExact = /[.e]/i.test(written) ? Number.isFinite(number) : Number.isSafeInteger(number);
	return isExact ? number : written;
}

function unescapeString(content: string): string {
	if (!content.includes('\\')) return content;
	try {
		return JSON.parse(`"${content}"`) as string;
	} catch {
		// JSON allows no line break and no escaped single quote.
		return content.replaceAll("\\'", "'").replaceAll('\\/', '/');
	}
}

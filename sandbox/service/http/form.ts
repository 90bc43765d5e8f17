import type { RecordedRequest } from '../../types';
import type { Refusal } from './refusal';
import { quote, truncate } from './refusal';

/** An uploaded image on disk. */
export interface Upload {
	file: string;
	fileName: string;
}

/** The content of a body in any encoding (specification 4). */
export class Form {
	readonly fields: Record<string, string> = {};
	/** What is wrong with a field, as the rest of a sentence that begins with its name. */
	readonly problems = new Map<string, string>();
	image?: Upload;
	/** The first reason to refuse the body. Thrown only once key and subscription are checked. */
	refusal?: Refusal;
	private readonly names = new Set<string>();

	/** @param entry records the fields too */
	constructor(private readonly entry: RecordedRequest) {}

	/** Notes that a part or field has arrived, in this order. */
	note(name: string): void {
		if (this.names.has(name)) this.addProblem(name, 'was sent more than once.');
		this.names.add(name);
		this.entry.fieldOrder.push(name);
	}

	/** Adds a text, or a JSON value, which is a problem. */
	add(name: string, value: unknown): void {
		this.note(name);
		let text = typeof value === 'string' ? value : JSON.stringify(value);
		if (name === 'image') text = hidePassword(text);
		if (typeof value !== 'string') {
			const plain = typeof value === 'number' || typeof value === 'boolean';
			const example = plain ? ` such as ${quote(text)}` : '';
			this.addProblem(name, `must be a string${example}, not ${truncate(text)}.`);
		} else if (text.includes('\uFFFD')) {
			this.addProblem(name, `is not valid UTF-8. ${charsetAdvice}`);
		}
		this.fields[name] = text;
		this.entry.fields[name] = text;
	}

	addProblem(name: string, problem: string): void {
		if (!this.problems.has(name)) this.problems.set(name, problem);
	}

	refuse(refusal: Refusal): void {
		this.refusal ??= refusal;
	}
}

const charsetAdvice =
	'Declare another charset in its Content-Type, or send a file with a file name.';

/** Replaces user name and password of an address, which nobody should read in a log. */
function hidePassword(address: string): string {
	if (!URL.canParse(address)) return address;
	const url = new URL(address);
	if (url.username + url.password === '') return address;
	return Object.assign(url, { username: '***', password: '' }).href;
}

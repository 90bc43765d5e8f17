import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import type { Run } from '../run';
import { itemFiles, type ItemFile } from './itemFiles';

const FIELD = "'Input Data Field Name(s)'";
const ALL = "set 'Image Source' to 'All Images of the Item'";
const MOST_NAMES = 20;

/** The item has no file in the field that was asked for. */
export function noSuchFile(run: Run, itemIndex: number, value: unknown): BadInput {
	if (typeof value !== 'string') {
		return new BadInput(
			`${FIELD} must be a field name or a file, but is ${quote(value)}.`,
			'Give the name of a field, a file of an earlier node, or a list of these.',
		);
	}
	const files = itemFiles(run.context, itemIndex);
	return new BadInput(
		`${FIELD} is ${quote(value)}, but this item has no such file.`,
		files.length === 0 ? noFile(run) : whatToWrite(files, value),
	);
}

/** Image Source asks for all images, and no file of the item is one. */
export function noImageAtAll(run: Run, files: readonly ItemFile[]): BadInput {
	if (files.length === 0) return new BadInput('This item holds no file.', noFile(run));
	const held = files.map(({ field, binary }) => `${binary.fileName ?? 'a file'} (in '${field}')`);
	return new BadInput(
		'No file of this item is an image.',
		`It holds ${enumerate(held)}. Connect a node that outputs a JPG, PNG or WebP file.`,
	);
}

function noFile({ isTool }: Run): string {
	return isTool
		? "The item holds no file. A tool sees only files that reach its agent: use an image URL, or take a file of an earlier node by an expression in 'Input Data Field Name(s)'."
		: 'The item holds no file. Connect a node that outputs one.';
}

function whatToWrite(files: readonly ItemFile[], asked: string): string {
	const names = files.map(({ field }) => field);
	const meant = names.find((name) => plain(name) === plain(asked));
	const [first = '', ...others] = names;
	if (meant !== undefined || others.length === 0) return `Write '${meant ?? first}' into ${FIELD}.`;
	const quoted = names.map((name) => `'${name}'`);
	return `The item holds files in ${enumerate(quoted)}. Write one of these names into ${FIELD}, or ${ALL}.`;
}

/** A name as it may be remembered: capitals, spaces and marks do not count. */
function plain(name: string): string {
	return name
		.slice(0, 200)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

function enumerate(parts: readonly string[]): string {
	const shown = parts.slice(0, MOST_NAMES);
	const rest = parts.length - shown.length;
	if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
	if (shown.length === 1) return shown.join('');
	return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { itemFiles, type ItemFile } from './itemFiles';
import type { Planning } from './planning';

const FIELD = "'Input Data Field Name(s)'";
const ALL = "set 'Image Source' to 'All Images of the Item'";
const MOST_NAMES = 20;

/** The item has no file with the requested name. */
export function noSuchFile(run: Planning, itemIndex: number, value: unknown): BadInput {
	if (typeof value !== 'string') {
		return new BadInput(
			`${FIELD} must be a field name or a file, but is ${quote(value)}.`,
			'Use a field name, a file from an earlier node, or a list of these.',
		);
	}
	const files = itemFiles(run.context, itemIndex);
	return new BadInput(
		`${FIELD} is ${quote(value)}, but this item has no such file.`,
		files.length === 0
			? `The item has no files at all. ${howToAddFile(run)}`
			: nameToUse(files, value),
	);
}

/** The field's name was left at its default, and the item has several images under other names. */
export function severalImages(fields: readonly string[]): BadInput {
	const names = joinNames(fields.map((field) => `'${field}'`));
	return new BadInput(
		`This item has ${fields.length} images.`,
		`They are in ${names}. Choose one in ${FIELD}, or ${ALL}.`,
	);
}

/** Image Source is All Images of the Item, and the item has no image. */
export function noImageAtAll(run: Planning, files: readonly ItemFile[]): BadInput {
	if (files.length === 0) return new BadInput('This item has no files.', howToAddFile(run));
	const listed = files.map(({ field, binary }) => `${binary.fileName ?? 'a file'} (in '${field}')`);
	return new BadInput(
		"None of this item's files is an image.",
		`It has ${joinNames(listed)}. Connect a node that outputs a JPG, PNG or WebP file.`,
	);
}

function howToAddFile({ isTool }: Planning): string {
	return isTool
		? "A tool gets only the files that reach its agent: use an image URL, or an expression in 'Input Data Field Name(s)' that returns a file from an earlier node."
		: 'Connect a node that outputs a file.';
}

function nameToUse(files: readonly ItemFile[], asked: string): string {
	const names = files.map(({ field }) => field);
	const similar = names.find((name) => normalized(name) === normalized(asked));
	const meant = similar ?? (names.length === 1 ? names[0] : undefined);
	if (meant !== undefined) return `Set ${FIELD} to '${meant}'.`;
	const quoted = names.map((name) => `'${name}'`);
	return `The item has files in ${joinNames(quoted)}. Set ${FIELD} to one of these names, or ${ALL}.`;
}

/** Ignores case, spaces and punctuation. */
function normalized(name: string): string {
	return name
		.slice(0, 200)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

// British, because American lists have a comma before "and".
const NAMES = new Intl.ListFormat('en-GB');

function joinNames(parts: readonly string[]): string {
	const listed = parts.slice(0, MOST_NAMES);
	const rest = parts.length - listed.length;
	return NAMES.format(rest > 0 ? [...listed, `${rest} more`] : listed);
}

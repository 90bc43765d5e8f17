import type { IBinaryData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD, FILE_FIELD } from '../fields/image';
import { quote } from '../values/text';
import { addressesOf, jsonIn, MOST_IMAGES, tooMany } from './addressesOf';
import type { Item } from './item';
import { fileInValue, type ItemFiles } from './itemFiles';
import { imageInBase64, imageInDataAddress } from './pastedImage';

/** An image that a value selects, before its first bytes are read; or a value that selects none. */
export type Selected =
	| { kind: 'file'; source: string; file: IBinaryData; where: string }
	| { kind: 'pasted'; source: string; file: IBinaryData }
	| { kind: 'address'; source: string }
	| { kind: 'none'; source: string; value: unknown };

/** A field that selects images of an item. */
export interface ImageField extends Item {
	field: typeof FILE_FIELD | typeof ADDRESS_FIELD;
	files: ItemFiles;
}

/** Returns the images that a value selects; undefined if it does not understand the value. */
type Reader = (value: unknown, field: ImageField) => Selected[] | undefined;

/** A longer text is no list of names; in characters. */
const LONGEST_NAMES = 10_000;

/** The name of a field, or several with commas. A name may have commas, or spaces at its ends, if there is such a field. */
const fieldNames: Reader = (value, { files }) => {
	if (typeof value !== 'string' || value.length > LONGEST_NAMES) return undefined;
	const isWhole = fileNamed(files, value) !== undefined;
	const names = isWhole ? [value] : value.split(',').map((name) => name.trim());
	const found = [...new Set(names)].map((name): Selected => {
		const file = fileNamed(files, name);
		return file === undefined
			? { kind: 'none', source: name, value: name }
			: { kind: 'file', source: name, file, where: name };
	});
	if (found.every(({ kind }) => kind === 'none')) return undefined;
	if (!names.includes('')) return found;
	throw new BadInput(
		`'${FILE_FIELD}' is ${quote(value)}, which contains an empty name.`,
		'Separate the names with single commas.',
	);
};

/** If binaryMode is combined, `_files.photo` is n8n's own name for the file `photo`. */
function fileNamed(files: ItemFiles, name: string): IBinaryData | undefined {
	const short = name.replace(/^_files\./, '');
	const [, file] = files.find(([field]) => field === name || field === short) ?? [];
	return file;
}

/** An object that is a file: one of n8n's, a `Buffer`, or base64 with its type. */
const file: Reader = (value, field) => {
	const found = fileInValue(field, field.files, value);
	if (found === undefined) return undefined;
	return [{ kind: 'file', source: found.fileName ?? 'file', file: found, where: FILE_FIELD }];
};

const dataAddress: Reader = (value) => pasted(value, imageInDataAddress);

const base64: Reader = (value) => pasted(value, imageInBase64);

function pasted(value: unknown, imageIn: typeof imageInBase64): Selected[] | undefined {
	if (typeof value !== 'string') return undefined;
	const found = imageIn(value);
	return found && [{ kind: 'pasted', source: value, file: found }];
}

/** Each entry of a list by itself, also of one that a text holds as JSON. */
const list: Reader = (value, field) => {
	const entries = typeof value === 'string' ? jsonIn(value) : value;
	if (!Array.isArray(entries) || entries.length === 0) return undefined;
	if (entries.length > MOST_IMAGES) throw tooMany(field.field);
	return entries.flatMap((entry: unknown) => select(entry, field));
};

/** The addresses in a text or an object. */
const addresses: Reader = (value, field) => {
	const found = addressesOf(value);
	if (found.length === 0) return undefined;
	return found.flatMap(
		(address) => dataAddress(address, field) ?? [{ kind: 'address', source: address }],
	);
};

/** The readers of each field, in their order: the first that understands a value wins. */
const READERS: Record<ImageField['field'], readonly Reader[]> = {
	[FILE_FIELD]: [fieldNames, file, dataAddress, base64, list],
	[ADDRESS_FIELD]: [dataAddress, base64, list, addresses],
};

/** The images that a value selects. One that no reader understands is returned as it is. */
export function select(value: unknown, field: ImageField): Selected[] {
	for (const reader of READERS[field.field]) {
		const found = reader(value, field);
		if (found !== undefined) return found;
	}
	return [{ kind: 'none', source: typeof value === 'string' ? value : 'file', value }];
}

import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { asRecord } from '../values/asRecord';
import { fileInObject, toBinary } from './fileObjects';
import type { Item } from './item';

/** Files of an item, each with the name of its field. */
export type ItemFiles = ReadonlyArray<[field: string, binary: IBinaryData]>;

type Fields = Array<[field: string, file: unknown]>;

/** All files of an item, in the order that n8n shows them, and then those that other systems write into its JSON. */
export function itemFiles({ context, itemIndex }: Item): ItemFiles {
	const item = context.getInputData()[itemIndex];
	const handedOver = Object.entries(asRecord(item?.json)).flatMap(([field, value]): Fields => {
		const file = fileInObject(value);
		return file === undefined ? [] : [[field, file]];
	});
	const all = [...n8nFiles(item, isCombined(context)), ...handedOver];
	return all.map(([field, file]) => [field, toBinary(file)]);
}

/** In a workflow whose binaryMode is combined, n8n keeps files in the JSON (2.41.1). n8n 1.123.81 has no such mode. */
function isCombined(context: IExecuteFunctions): boolean {
	const { getWorkflowSettings } = context as Partial<IExecuteFunctions>;
	return getWorkflowSettings?.call(context).binaryMode === 'combined';
}

/** The files of an item that n8n keeps for it. */
function n8nFiles(item: unknown, combined: boolean): Fields {
	const { json, binary } = asRecord(item);
	const inBinary = Object.entries(asRecord(binary));
	if (!combined) return inBinary;
	const { _files: named, ...fields } = asRecord(json);
	const inJson = [...Object.entries(asRecord(named)), ...Object.entries(fields)];
	return [...inBinary, ...inJson.flatMap(storedIn)];
}

/** If binaryMode is combined, a form stores a file, or a list of them, under its label (2.41.1). Those in memory have no id. */
function storedIn([field, value]: [string, unknown]): Fields {
	if (!Array.isArray(value)) return isStored(value) ? [[field, value]] : [];
	const files = value.flatMap((each: unknown) =>
		isStored(each) ? each : (fileInObject(each) ?? []),
	);
	return files.map((file, index) => [`${field}_${index}`, file]);
}

/** Whether a value names a file in n8n's storage. */
function isStored(value: unknown): boolean {
	const { mimeType, id } = asRecord(value);
	return typeof mimeType === 'string' && id !== undefined;
}

/**
 * The file that an expression returned. JSON from outside may look like one in n8n's storage, so that must be a file of
 * this node's input, or of a node that the expression names.
 */
export function fileInValue(item: Item, files: ItemFiles, value: unknown): IBinaryData | undefined {
	const inObject = fileInObject(value);
	if (inObject !== undefined) return inObject;
	const { mimeType, id } = asRecord(value);
	if (typeof mimeType !== 'string') return undefined;
	return id === undefined ? likeFile(files, value) : storedFile(item, id);
}

/**
 * The item's only file like one that `$binary` returned. n8n leaves out the data there, so a file in memory has
 * neither data nor an id (2.40.3).
 */
function likeFile(files: ItemFiles, value: unknown): IBinaryData | undefined {
	const detailsOf = (file: IBinaryData) => JSON.stringify({ ...file, data: '' });
	const details = detailsOf(toBinary(value));
	const [found, ...others] = files.filter(([, file]) => detailsOf(file) === details);
	return others.length === 0 ? found?.[1] : undefined;
}

function storedFile(item: Item, id: unknown): IBinaryData | undefined {
	const combined = isCombined(item.context);
	for (const items of itemsInReach(item, combined)) {
		for (const each of items) {
			const found = n8nFiles(each, combined).find(([, file]) => asRecord(file).id === id);
			if (found !== undefined) return toBinary(found[1]);
		}
	}
	return undefined;
}

/** What an expression has in quotes, such as the name in `$("Form")`. */
const QUOTED = /(["'`])((?:\\.|(?!\1)[^\\])+)\1/g;

/** The items of the node's input, and those of the nodes that the expression names. */
function* itemsInReach(item: Item, combined: boolean): Generator<readonly unknown[]> {
	yield item.context.getInputData();
	const { binaryPropertyName: written } = item.node.parameters;
	if (typeof written !== 'string') return;
	for (const [, , name = ''] of written.matchAll(QUOTED)) {
		const items = itemsOfNode(item, name.replace(/\\(.)/g, '$1'));
		// If binaryMode is combined, n8n returns the JSON of an item in its place.
		yield combined ? items.map((json) => ({ json })) : items;
	}
}

/** The items of an earlier node, the one that this item comes from first. */
function itemsOfNode({ context, itemIndex }: Item, name: string): unknown[] {
	const read = (what: (node: EarlierNode) => unknown[]) => {
		try {
			const { $ } = context.getWorkflowDataProxy(itemIndex) as { $: (name: string) => EarlierNode };
			return what($(name));
		} catch {
			// The name is not a node's, or n8n does not know which item this one comes from.
			return [];
		}
	};
	return [...read((node) => [node.item]), ...read((node) => node.all())];
}

/** What `$("Form")` returns. */
interface EarlierNode {
	item: unknown;
	all: () => unknown[];
}

import type { IBinaryData, IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import type { PlannedRow } from '../../nodes/ImageGeneration/plan/planItem';
import type { InvalidRow } from '../../nodes/ImageGeneration/types';
import { gif, PIXEL } from './images';
import { planningRun } from './planningRun';

/** A GIF in base64. */
export const DATA = PIXEL.toString('base64');

export const image = (more: object = {}): IBinaryData => ({
	data: DATA,
	mimeType: 'image/gif',
	...more,
});
/** Different images in these fields. */
export const images = (...fields: string[]): IBinaryKeyData =>
	Object.fromEntries(
		fields.map((field) => [
			field,
			image({ data: gif(field).toString('base64'), fileName: `${field}.gif` }),
		]),
	);

/** What an expression with `$binary` returns of a file in memory. */
export function withoutData(file: Partial<IBinaryData> = {}): object {
	return Object.fromEntries(Object.entries(file).filter(([name]) => name !== 'data'));
}

type Inputs = Parameters<typeof planningRun>[0];

/** Plans Remove Background for one item. */
export async function plan(parameters: object, item: object = {}, more: Inputs = {}) {
	const items = [{ json: {}, ...item } as INodeExecutionData];
	const all = { operation: 'removeBackground', download: true, ...parameters };
	return await planAll(
		planningRun({ items, parameters: all, ...more }),
		new AbortController().signal,
	);
}
export const byName = async (binaryPropertyName: unknown, binary: object, json: object = {}) =>
	await plan({ inputType: 'binary', binaryPropertyName }, { binary, json });
export const byUrl = async (imageUrl: unknown) => await plan({ inputType: 'url', imageUrl });
export const allOf = async (item: object, more?: Inputs) =>
	await plan({ inputType: 'all' }, item, more);

type Planned = PlannedRow | InvalidRow;

/** What each row sends as its image, or why it can't be sent. */
export const partsOf = (planned: Planned[]) =>
	planned.map((each) => {
		if ('problem' in each) return 'message' in each.problem ? each.problem.message : 'other';
		const { file, textParts } = each.asks.request;
		return file?.name ?? textParts.image;
	});
export const placesOf = (planned: Planned[]) =>
	planned.map((each) => ('problem' in each ? each : each.row));
export const sourcesOf = (planned: Planned[]) => placesOf(planned).map(({ source }) => source);
export const problemOf = ([first]: Planned[]) =>
	first !== undefined && 'problem' in first ? first.problem : {};

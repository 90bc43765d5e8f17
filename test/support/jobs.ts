import type { Job, Row } from '../../nodes/ImageGeneration/types';

/** A row for the prompt "A fox". */
export function rowWith(more: Partial<Row> = {}): Row {
	return {
		itemIndex: 0,
		label: 'A fox',
		includesInput: false,
		key: 'a row',
		fileName: { stem: 'a-fox', isMarked: true },
		outputField: 'data',
		...more,
	};
}

/** A valid job of one row, with the prompt "A fox". */
export function jobWith(more: Partial<Job> = {}): Job {
	return {
		rows: [rowWith()],
		request: { model: 'text2img', textParts: { text: 'A fox' } },
		requestKey: 'a request',
		isFixed: false,
		timeout: 600,
		generation: 1,
		...more,
	};
}

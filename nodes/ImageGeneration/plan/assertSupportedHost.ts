import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';

/**
 * Says so when n8n, or the Node.js it runs on, lacks what the node uses. Without it an item would
 * end in the words of a programming language, maybe after others were paid for.
 * @throws BadInput
 */
export function assertSupportedHost(context: IExecuteFunctions): void {
	const used = [
		typeof context.getExecutionCancelSignal,
		typeof context.helpers.assertBinaryData,
		typeof context.helpers.httpRequestWithAuthentication,
		// From Node.js 20.6 on.
		typeof ReadableStream.from,
	];
	if (used.every((kind) => kind === 'function')) return;
	throw new BadInput(
		'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
		'Nothing was sent. Update n8n.',
	);
}

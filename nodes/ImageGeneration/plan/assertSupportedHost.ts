import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';

/**
 * Checks that n8n and its Node.js have everything the node uses. Otherwise an item would fail with a
 * TypeError, possibly after others were bought.
 * @throws BadInput if they are too old.
 */
export function assertSupportedHost(context: IExecuteFunctions): void {
	const used = [
		typeof context.getExecutionCancelSignal,
		typeof context.helpers.assertBinaryData,
		typeof context.helpers.httpRequestWithAuthentication,
		// Since Node.js 20.6.
		typeof ReadableStream.from,
	];
	if (used.every((kind) => kind === 'function')) return;
	throw new BadInput(
		'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
		'Nothing was sent. Update n8n.',
	);
}

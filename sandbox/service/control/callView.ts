import type { Call } from './journal';

const maxFields = 20;
const maxTextLength = 2000;
const key = 'api-key';

/** The outcome of a call; `left` if the client disconnected. */
type Outcome = 'open' | 'charged' | 'refused' | 'fault' | 'left';

/** A call as the page receives it. */
export type CallView = ReturnType<typeof toCallView>;

/** Truncates the texts of a call and leaves the key out. */
export function toCallView(call: Call) {
	const { request, charge } = call;
	const path = request.path.split('?')[0] ?? '';
	return {
		number: call.number,
		at: call.at,
		method: truncate(request.method),
		path: truncate(path),
		/** The last path segment, which names the tool. */
		tool: truncate(path.split('/').at(-1) ?? ''),
		fields: Object.entries(request.fields)
			.filter(([name]) => name.toLowerCase() !== key)
			.slice(0, maxFields)
			.map(([name, value]) => [truncate(name), truncate(value)] as const),
		files: request.files.slice(0, maxFields).map(({ field, fileName, bytes }) => ({
			field: truncate(field),
			fileName: truncate(fileName),
			bytes,
		})),
		status: request.status,
		outcome: outcomeOf(call),
		refusal: call.refusal === undefined ? null : truncate(call.refusal),
		fault: call.request.fault ?? null,
		job: charge
			? {
					id: charge.jobId,
					url: charge.outputUrl,
					source: charge.source,
					cents: charge.cents,
					note: charge.note ?? null,
				}
			: null,
		downloads: call.downloads,
		downloadFaults: call.downloadFaults,
	};
}

function outcomeOf({ charge, refusal, clientLeft, request }: Call): Outcome {
	if (charge) return 'charged';
	if (refusal !== undefined) return 'refused';
	if (request.fault !== undefined && (clientLeft || request.status !== null)) return 'fault';
	return clientLeft ? 'left' : 'open';
}

function truncate(text: string): string {
	return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

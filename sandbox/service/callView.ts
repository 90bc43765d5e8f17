import type { Call } from './journal';

const mostFields = 20;
const longestText = 2000;
const key = 'api-key';

/** What became of a call. */
type Outcome = 'open' | 'charged' | 'refused' | 'fault' | 'left';

/** A call as the page gets it: bounded, and without the key. */
export interface CallView {
	number: number;
	at: string;
	method: string;
	path: string;
	/** The last segment of the path, which names the tool. */
	tool: string;
	fields: [name: string, value: string][];
	files: { field: string; fileName: string; bytes: number }[];
	status: number | null;
	outcome: Outcome;
	refusal: string | null;
	fault: string | null;
	job: { id: string; url: string; source: string; cents: number; note: string | null } | null;
	downloads: number;
	downloadFaults: string[];
}

export function viewOf(call: Call): CallView {
	const { request, charge } = call;
	const path = request.path.split('?')[0] ?? '';
	return {
		number: call.number,
		at: call.at,
		method: cut(request.method),
		path: cut(path),
		tool: cut(path.split('/').at(-1) ?? ''),
		fields: Object.entries(request.fields)
			.filter(([name]) => name.toLowerCase() !== key)
			.slice(0, mostFields)
			.map(([name, value]) => [cut(name), cut(value)]),
		files: request.files
			.slice(0, mostFields)
			.map(({ field, fileName, bytes }) => ({ field: cut(field), fileName: cut(fileName), bytes })),
		status: request.status,
		outcome: outcomeOf(call),
		refusal: call.refusal === undefined ? null : cut(call.refusal),
		fault: call.fault ?? null,
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

function outcomeOf({ charge, refusal, fault, left, request }: Call): Outcome {
	if (charge) return 'charged';
	if (refusal !== undefined) return 'refused';
	if (fault !== undefined && (left || request.status !== null)) return 'fault';
	return left ? 'left' : 'open';
}

function cut(text: string): string {
	return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

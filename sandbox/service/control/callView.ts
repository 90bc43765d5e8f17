import type { FaultName } from '../../faults/table';
import type { LedgerEntry, RecordedFile } from '../../types';
import type { Call } from './journal';

const maxFields = 20;
const maxTextLength = 2000;
const key = 'api-key';

/** The outcome of a call; `left` if the client disconnected. */
type Outcome = 'open' | 'charged' | 'refused' | 'fault' | 'left';

/** A charged job, as the page receives it. */
interface JobView {
	id: string;
	url: string;
	source: LedgerEntry['source'];
	cents: number;
	note: string | null;
}

/** A call as the page receives it, with its texts truncated. */
export interface CallView {
	number: number;
	/** ISO 8601, UTC. */
	at: string;
	method: string;
	path: string;
	/** The last path segment, which names the tool. */
	tool: string;
	fields: (readonly [name: string, value: string])[];
	files: Pick<RecordedFile, 'field' | 'fileName' | 'bytes'>[];
	status: number | null;
	outcome: Outcome;
	refusal: string | null;
	fault: FaultName | null;
	job: JobView | null;
	downloads: number;
	downloadFaults: FaultName[];
}

/** Truncates the texts of a call and leaves the key out. */
export function toCallView(call: Call): CallView {
	const { request, charge } = call;
	const path = request.path.split('?')[0] ?? '';
	return {
		number: call.number,
		at: call.at,
		method: truncate(request.method),
		path: truncate(path),
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
		job: charge ? toJobView(charge) : null,
		downloads: call.downloads,
		downloadFaults: call.downloadFaults,
	};
}

function toJobView({ jobId, outputUrl, source, cents, note }: LedgerEntry): JobView {
	return {
		id: jobId,
		url: outputUrl,
		source,
		cents,
		note: note ?? null,
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

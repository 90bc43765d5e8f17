import { prices, toolIds } from '../catalog';
import type { FaultRule } from '../faults/rules';
import type { FaultName } from '../faults/table';
import type { LedgerEntry, RateLimit, RecordedFile, RecordedRequest } from '../types';
import type { Service } from './service';

/** How many of the latest requests the page shows. */
const shown = 100;
const maxTextLength = 2000;

/** A request as the page receives it, with its texts truncated and without its headers. */
export interface RequestView {
	number: number;
	at: string;
	method: string;
	path: string;
	fields: (readonly [name: string, value: string])[];
	files: Pick<RecordedFile, 'field' | 'fileName' | 'bytes'>[];
	status: number | null;
	isOver: boolean;
	fault: FaultName | null;
	refusal: string | null;
	charge: Pick<LedgerEntry, 'jobId' | 'source' | 'cents' | 'note'> | null;
}

export interface StateView {
	apiKey: string;
	tools: readonly string[];
	account: ReturnType<typeof accountView>;
	rateLimit: { limit: RateLimit | null; refused: number };
	faults: FaultRule[];
	/** Newest first. */
	requests: RequestView[];
}

export function accountView({ account }: Service) {
	const { month, allowance, allowanceLeft, walletCentsLeft, ledger } = account;
	return {
		month,
		allowance,
		allowanceLeft,
		walletCentsLeft,
		charges: ledger.length,
		prices,
	};
}

export function limitView({ limiter }: Service): StateView['rateLimit'] {
	return {
		limit: limiter.limit ?? null,
		refused: limiter.refused,
	};
}

export function stateView(service: Service): StateView {
	return {
		apiKey: service.settings.apiKeys[0] ?? '',
		tools: toolIds,
		account: accountView(service),
		rateLimit: limitView(service),
		faults: service.faults.list(),
		requests: service.requests.latest.slice(-shown).reverse().map(requestView),
	};
}

function requestView(request: RecordedRequest): RequestView {
	const { number, at, method, path, fields, files, status, isOver, charge } = request;
	return {
		number,
		at,
		method,
		path: truncate(path),
		fields: Object.entries(fields).map(
			([name, value]) => [truncate(name), truncate(value)] as const,
		),
		files: files.map(({ field, fileName, bytes }) => ({
			field: truncate(field),
			fileName: truncate(fileName),
			bytes,
		})),
		status,
		isOver,
		fault: request.fault ?? null,
		refusal: request.refusal === undefined ? null : truncate(request.refusal),
		charge: charge ?? null,
	};
}

function truncate(text: string): string {
	return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

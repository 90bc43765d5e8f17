export type { FaultName } from './faults/table';
export type { FaultRule } from './faults/rules';
export { startSandbox } from './service/start';
export type {
	Account,
	LedgerEntry,
	Output,
	PriceName,
	Prices,
	RateLimit,
	RecordedFile,
	RecordedRequest,
	Sandbox,
	SandboxOptions,
	Tool,
} from './types';

export type { PriceName, Prices, Tool } from './catalog';
export type { FaultRule } from './faults/rules';
export type { FaultName } from './faults/table';
export type { Account, Sandbox } from './sandbox';
export { startSandbox } from './service/start';
export type {
	LedgerEntry,
	Output,
	RateLimit,
	RecordedFile,
	RecordedRequest,
	SandboxOptions,
} from './types';

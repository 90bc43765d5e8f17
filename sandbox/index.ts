export type { Tool } from './catalog';
export type { FaultRule } from './faults/rules';
export type { FaultName } from './faults/table';
export { startSandbox, type Sandbox } from './service/start';
export type {
	LedgerEntry,
	RateLimit,
	RecordedFile,
	RecordedRequest,
	SandboxOptions,
} from './types';

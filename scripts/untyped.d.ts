/** Types for packages that have none, as far as this project uses them. */

declare module 'gulp' {
	export function src(
		globs: string[],
		options: { base: string; encoding: false },
	): NodeJS.ReadableStream;
	export function dest(folder: string): NodeJS.WritableStream;
	export function watch(globs: string[], task: () => NodeJS.WritableStream): void;
	type Task = (done: () => void) => unknown;
	export function series(...tasks: Task[]): Task;
	export function parallel(...tasks: Task[]): Task;
}

declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint, Linter } from 'eslint';

	type RuleSet = 'community' | 'credentials' | 'nodes';
	const plugin: ESLint.Plugin & { configs: Record<RuleSet, { rules: Linter.RulesRecord }> };
	export default plugin;
}

declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

declare module 'tsx';

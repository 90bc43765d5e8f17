import type { Tool } from '../types';
import type { Fault } from './fault';
import { faults, type FaultName } from './table';

/** What a rule can strike. */
export type Target = Tool | 'download';

/** A fault and the requests that it strikes. */
export interface FaultRule {
	fault: FaultName;
	/** Default: every tool, or `download` for a fault that only downloads can have. */
	on?: Target | 'any-tool';
	/** How many requests it strikes, default 1 (`redirect-loop`: Infinity). */
	times?: number;
	/** Lets this many matching requests pass first, default 0. */
	after?: number;
	/** Strikes only if the prompt, an uploaded file's name or the download path contains this. */
	when?: string;
	/** Status of the answer, where the fault leaves it open. */
	status?: number;
	/** Body of the answer, where the fault leaves it open: a string as it is, the rest as JSON. */
	body?: unknown;
	/** Headers added to the fault's answer. */
	headers?: Record<string, string>;
	/** Milliseconds to wait before the fault strikes, default 0; for `delay` 1000. */
	delayMs?: number;
	/** Value of `Retry-After`: seconds, a date, or an empty string for no such header. */
	retryAfter?: string;
	/** Where a redirect or an output URL points. */
	location?: string;
	/** How many bytes go through before the connection is cut. */
	bytes?: number;
	/** Content type of the answer, where the fault leaves it open. */
	contentType?: string;
}

interface Armed {
	rule: FaultRule;
	fault: Fault;
	toPass: number;
	left: number;
}

/** A rule picked for one request. */
export interface Picked {
	rule: FaultRule;
	fault: Fault;
	/** Puts the rule back: its moment never came for this request. */
	release(): void;
}

/** The faults in the order armed. A request is struck by at most one. */
export class FaultQueue {
	private armed: Armed[] = [];

	/** @throws Error when the fault is unknown or cannot strike where `on` says. */
	arm(rule: FaultRule): void {
		check(rule);
		const fault: Fault = faults[rule.fault];
		const on = rule.on ?? (fault.target === 'download' ? 'download' : 'any-tool');
		if (fault.target !== 'any' && (fault.target === 'download') !== (on === 'download')) {
			throw new Error(`The fault ${rule.fault} strikes a ${fault.target}, not ${on}.`);
		}
		const left = rule.times ?? fault.times ?? 1;
		this.armed.push({ rule: { ...rule, on }, fault, toPass: rule.after ?? 0, left });
	}

	disarm(): void {
		this.armed = [];
	}

	/** What is armed, as JSON can say it: what each rule still strikes and lets pass. */
	list(): (FaultRule | { times: number | 'always'; after: number })[] {
		return this.armed
			.filter(({ left }) => left > 0)
			.map(({ rule, left, toPass }) => ({
				...rule,
				times: left === Infinity ? 'always' : left,
				after: toPass,
			}));
	}

	/** Picks before the body is read, unless a rule depends on the body or still lets requests pass. */
	pickOnArrival(target: Target): Picked | undefined {
		const candidates = this.armed.filter((armed) => armed.left > 0 && aims(armed.rule, target));
		if (candidates.some(({ rule, toPass }) => rule.when !== undefined || toPass > 0)) {
			return undefined;
		}
		return this.pick(target, []);
	}

	/** Picks the first rule that matches; `words` are what `when` may be found in. */
	pick(target: Target, words: string[]): Picked | undefined {
		for (const armed of this.armed) {
			const { rule, fault } = armed;
			if (armed.left <= 0 || !aims(rule, target)) continue;
			const { when } = rule;
			if (when !== undefined && !words.some((word) => word.includes(when))) continue;
			if (armed.toPass > 0) {
				armed.toPass -= 1;
				continue;
			}
			armed.left -= 1;
			const release = () => {
				armed.left += 1;
			};
			return { rule, fault, release };
		}
		return undefined;
	}
}

const targets = ['text2img', 'background-remover', 'image-editor', 'download', 'any-tool'];

function check({ fault, on, times = 1, after = 0, status = 200 }: FaultRule): void {
	if (!Object.hasOwn(faults, fault)) {
		const known = Object.keys(faults).join(', ');
		throw new Error(`There is no fault ${JSON.stringify(fault)}. There are: ${known}.`);
	}
	if (on !== undefined && !targets.includes(on)) {
		throw new Error(`on is ${JSON.stringify(on)}; it must be one of ${targets.join(', ')}.`);
	}
	if (!(times >= 1)) throw new Error(`times must be 1 or more, not ${times}.`);
	if (!(after >= 0)) throw new Error(`after must be 0 or more, not ${after}.`);
	if (!Number.isInteger(status) || status < 200 || status > 599) {
		throw new Error(`status must be an integer from 200 to 599, not ${status}.`);
	}
}

function aims(rule: FaultRule, target: Target): boolean {
	return rule.on === target || (rule.on === 'any-tool' && target !== 'download');
}

import { checkInteger } from '../service/account/checks';
import type { Tool } from '../types';
import type { Fault } from './fault';
import { faults, type FaultName } from './table';

/** What a rule can apply to. */
export type Target = Tool | 'download';

/** A fault and the requests it strikes. */
export interface FaultRule {
	fault: FaultName;
	/** Default: any tool, or `download` for a fault of downloads. */
	on?: Target | 'any-tool';
	/** How many requests it strikes; default 1 (`redirect-loop`: Infinity). */
	times?: number;
	/** How many matching requests to let through first; default 0. */
	after?: number;
	/** Text that the prompt, the file name, the image URL or the download path must contain. */
	when?: string;
	/** Status of the response, if the fault does not fix it. */
	status?: number;
	/** Body of the response, if the fault does not fix it. Anything but a string is sent as JSON. */
	body?: unknown;
	/** Headers to add to the fault's response. */
	headers?: Record<string, string>;
	/** Milliseconds to wait before the fault strikes; default 0, or 1000 for `delay`. */
	delayMs?: number;
	/** Value of `Retry-After`: seconds or a date; an empty string leaves the header out. */
	retryAfter?: string;
	/** Where a redirect or an output URL points. */
	location?: string;
	/** How many bytes to let through before the connection is cut. */
	bytes?: number;
	/** Content type of the response, if the fault does not fix it. */
	contentType?: string;
}

interface ArmedRule {
	rule: FaultRule;
	fault: Fault;
	/** How many more matching requests to let through. */
	toSkip: number;
	/** How many more requests to strike. */
	remaining: number;
}

/** A rule that was picked for one request. */
export interface Picked {
	rule: FaultRule;
	fault: Fault;
	/** Puts the rule back, because the request never reached the fault's moment. */
	release(): void;
}

/** The armed faults, oldest first. At most one strikes a request. */
export class FaultQueue {
	private armed: ArmedRule[] = [];

	/** @throws Error if the rule is invalid or its fault cannot apply to `on` */
	arm(rule: FaultRule): void {
		checkRule(rule);
		const fault: Fault = faults[rule.fault];
		const on = rule.on ?? (fault.target === 'download' ? 'download' : 'any-tool');
		if (fault.target !== 'any' && (fault.target === 'download') !== (on === 'download')) {
			throw new Error(`The fault ${rule.fault} applies to a ${fault.target}, not to ${on}.`);
		}
		const remaining = rule.times ?? fault.times ?? 1;
		this.armed.push({ rule: { ...rule, on }, fault, toSkip: rule.after ?? 0, remaining });
	}

	disarm(): void {
		this.armed = [];
	}

	/** The armed rules as JSON values, with what is left of their `times` and `after`. */
	list() {
		return this.armed
			.filter(({ remaining }) => remaining > 0)
			.map(({ rule, remaining, toSkip }) => ({
				...rule,
				times: remaining === Infinity ? ('always' as const) : remaining,
				after: toSkip,
			}));
	}

	/** Picks before the body is read, unless a rule has a `when` or still lets requests through. */
	pickOnArrival(target: Target): Picked | undefined {
		const candidates = this.armed.filter(
			({ rule, remaining }) => remaining > 0 && appliesTo(rule, target),
		);
		if (candidates.some(({ rule, toSkip }) => rule.when !== undefined || toSkip > 0)) {
			return undefined;
		}
		return this.pick(target, []);
	}

	/** Picks the first matching rule. @param texts what a rule's `when` is looked up in */
	pick(target: Target, texts: string[]): Picked | undefined {
		for (const armed of this.armed) {
			const { rule, fault } = armed;
			if (armed.remaining <= 0 || !appliesTo(rule, target)) continue;
			const { when } = rule;
			if (when !== undefined && !texts.some((text) => text.includes(when))) continue;
			if (armed.toSkip > 0) {
				armed.toSkip -= 1;
				continue;
			}
			armed.remaining -= 1;
			const release = () => {
				armed.remaining += 1;
			};
			return { rule, fault, release };
		}
		return undefined;
	}
}

const targets = ['text2img', 'background-remover', 'image-editor', 'download', 'any-tool'];

function checkRule(rule: FaultRule): void {
	const { fault, on, times = 1, after = 0, status = 200, delayMs = 0, bytes = 0 } = rule;
	if (!Object.hasOwn(faults, fault)) {
		const known = Object.keys(faults).join(', ');
		throw new Error(`There is no fault ${JSON.stringify(fault)}. Available faults: ${known}.`);
	}
	if (on !== undefined && !targets.includes(on)) {
		throw new Error(`on is ${JSON.stringify(on)}; it must be one of ${targets.join(', ')}.`);
	}
	if (times !== Infinity) checkInteger('times', times, 1);
	checkInteger('after', after);
	checkInteger('status', status, 200, 599);
	checkInteger('delayMs', delayMs, 0, 2 ** 31 - 1);
	checkInteger('bytes', bytes);
}

function appliesTo(rule: FaultRule, target: Target): boolean {
	return rule.on === target || (rule.on === 'any-tool' && target !== 'download');
}

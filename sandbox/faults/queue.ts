import type { Tool } from '../catalog';
import type { Fault } from './fault';
import { checkRule, type FaultRule } from './rules';
import { faults } from './table';

/** What a rule can apply to. */
export type Target = Tool | 'download';

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

/** An armed rule as a JSON value, with what is left of its `times` and `after`. */
export interface ListedRule extends Omit<FaultRule, 'times' | 'after'> {
	times: number | 'always';
	after: number;
}

/** The armed faults, oldest first. At most one strikes a request. */
export class FaultQueue {
	private armed: ArmedRule[] = [];

	/** @throws Error if the rule is invalid or its fault cannot apply to `on` */
	arm(value: FaultRule): void {
		const rule = checkRule(value);
		const fault: Fault = faults[rule.fault];
		const on = rule.on ?? (fault.target === 'download' ? 'download' : 'any-tool');
		if (fault.target !== 'any' && (fault.target === 'download') !== (on === 'download')) {
			throw new Error(`The fault ${rule.fault} applies to a ${fault.target}, not to ${on}.`);
		}
		this.armed.push({
			rule: { ...rule, on },
			fault,
			toSkip: rule.after ?? 0,
			remaining: rule.times ?? fault.times ?? 1,
		});
	}

	disarm(): void {
		this.armed = [];
	}

	list(): ListedRule[] {
		return this.armed
			.filter(({ remaining }) => remaining > 0)
			.map(({ rule, remaining, toSkip }) => ({
				...rule,
				times: remaining === Infinity ? 'always' : remaining,
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

function appliesTo(rule: FaultRule, target: Target): boolean {
	return rule.on === target || (rule.on === 'any-tool' && target !== 'download');
}

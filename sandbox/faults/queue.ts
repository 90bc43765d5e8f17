import type { FastifyRequest } from 'fastify';
import type { Tool } from '../catalog';
import { Refusal } from '../service/refusal';
import type { Fault } from './fault';
import { checkOwnRule, type FaultRule } from './rules';
import { faults } from './table';

/** What a rule can apply to. */
export type Target = Tool | 'download';

/** A rule that was picked for one request. */
export interface Picked {
	rule: FaultRule;
	fault: Fault;
	/** Puts the rule back, because the request never reached the fault's moment. */
	release(): void;
}

interface ArmedRule {
	rule: FaultRule;
	fault: Fault;
	/** How many more matching requests to let through. */
	toSkip: number;
	/** How many more requests to strike. */
	remaining: number;
}

/** The armed faults, oldest first. At most one strikes a request. */
export class FaultQueue {
	private armed: ArmedRule[] = [];

	/** @throws Error if the rule's fault cannot apply to `on` */
	arm(rule: FaultRule): void {
		const fault: Fault = faults[rule.fault];
		const on = rule.on ?? (fault.target === 'download' ? 'download' : 'any-tool');
		assertTarget(rule, on);
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

	/** The armed rules, with what is left of their `times` and `after`. */
	list(): FaultRule[] {
		return this.armed
			.filter(({ remaining }) => remaining > 0)
			.map(({ rule, remaining, toSkip }) => ({ ...rule, times: remaining, after: toSkip }));
	}

	/** Picks before the body is read, unless a rule has a `when` or still lets requests through. */
	pickOnArrival(target: Target): Picked | undefined {
		const needBody = this.armed.some(
			({ rule, remaining, toSkip }) =>
				remaining > 0 && appliesTo(rule, target) && (rule.when !== undefined || toSkip > 0),
		);
		return needBody ? undefined : this.pick(target, []);
	}

	/** Picks the first matching rule. @param texts what a rule's `when` is looked up in */
	pick(target: Target, texts: string[]): Picked | undefined {
		for (const armed of this.armed) {
			const { rule, fault, remaining } = armed;
			if (remaining <= 0 || !appliesTo(rule, target) || !matches(rule, texts)) continue;
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

/**
 * Picks the fault that a request asks for itself in the header `x-sandbox-fault`.
 *
 * @throws Refusal 400 if the rule is invalid or its fault cannot apply to the target
 */
export function pickFromHeader({ headers }: FastifyRequest, target: Target): Picked | undefined {
	const text = headers['x-sandbox-fault'];
	if (text === undefined) return undefined;
	try {
		const rule = checkOwnRule(String(text));
		assertTarget(rule, target);
		return { rule, fault: faults[rule.fault], release: () => undefined };
	} catch (error) {
		throw new Refusal(400, `x-sandbox-fault: ${(error as Error).message}`);
	}
}

function assertTarget({ fault }: FaultRule, on: Target | 'any-tool'): void {
	const { target }: Fault = faults[fault];
	if (target === 'any' || (target === 'download') === (on === 'download')) return;
	throw new Error(`The fault ${fault} applies to a ${target}, not to ${on}.`);
}

function appliesTo({ on }: FaultRule, target: Target): boolean {
	return on === target || (on === 'any-tool' && target !== 'download');
}

function matches({ when }: FaultRule, texts: string[]): boolean {
	return when === undefined || texts.some((text) => text.includes(when));
}

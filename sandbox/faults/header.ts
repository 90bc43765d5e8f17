import type { FastifyRequest } from 'fastify';
import { reasonOf } from '../service/http/reasonOf';
import { Refusal } from '../service/http/refusal';
import { FaultQueue, type Picked, type Target } from './queue';
import { checkRule } from './rules';

const name = 'x-sandbox-fault';

/**
 * Picks the fault that a request asks for itself: its name, or a rule as JSON.
 *
 * @throws Refusal 400 if the rule is invalid or its fault cannot apply to the target
 */
export function pickFromHeader({ headers }: FastifyRequest, target: Target): Picked | undefined {
	const value = headers[name];
	if (value === undefined) return undefined;
	try {
		const text = String(value);
		const rule = checkRule(text.startsWith('{') ? JSON.parse(text) : { fault: text });
		const field = (['on', 'times', 'after', 'when'] as const).find((key) => key in rule);
		if (field) throw new Error(`it applies to this request only, so leave out ${field}.`);
		const queue = new FaultQueue();
		queue.arm({ ...rule, on: target });
		return queue.pick(target, []);
	} catch (error) {
		throw new Refusal(400, `${name}: ${reasonOf(error)}`);
	}
}

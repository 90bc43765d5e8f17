import type { FaultRule } from './rules';

const kinds: Record<keyof FaultRule, 'string' | 'number' | 'object' | 'any'> = {
	fault: 'string',
	on: 'string',
	times: 'number',
	after: 'number',
	when: 'string',
	status: 'number',
	body: 'any',
	headers: 'object',
	delayMs: 'number',
	retryAfter: 'string',
	location: 'string',
	bytes: 'number',
	contentType: 'string',
};

/**
 * Checks a rule received as JSON. `"times": "always"` stands for Infinity.
 *
 * @throws Error that names the invalid field
 */
export function parseRule(value: unknown): FaultRule {
	if (typeof value !== 'object' || value === null) {
		throw new Error('A fault rule must be a JSON object, e.g. {"fault": "rate-limit"}.');
	}
	const always = 'times' in value && value.times === 'always';
	const rule = always ? { ...value, times: Infinity } : value;
	assertRule(rule);
	return rule;
}

function assertRule(value: object): asserts value is FaultRule {
	if (!('fault' in value)) throw new Error('fault is missing; it must be the name of a fault.');
	for (const [name, entry] of Object.entries(value)) {
		if (!isField(name)) {
			const known = Object.keys(kinds).join(', ');
			throw new Error(
				`A fault rule has no field ${JSON.stringify(name)}; its fields are ${known}.`,
			);
		}
		const kind = kinds[name];
		if (kind !== 'any' && typeof entry !== kind) {
			throw new Error(`${name} must be a ${kind}, not ${JSON.stringify(entry)}.`);
		}
	}
}

function isField(name: string): name is keyof FaultRule {
	return Object.hasOwn(kinds, name);
}

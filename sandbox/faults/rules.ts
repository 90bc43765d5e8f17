import { z } from 'zod';
import { toolIds } from '../catalog';
import { allowed, check, fieldsOf, integer } from '../check';
import { details } from './details';
import { faults, type FaultName } from './table';

const targets = ['any-tool', 'download', ...toolIds] as const;
const names = Object.keys(faults) as [FaultName, ...FaultName[]];

const always = z.literal('always').transform(() => Infinity);
const times = z.union([integer(1), z.literal(Infinity), always], {
	...allowed('an integer of at least 1, or "always"'),
});

const schema = fieldsOf({
	fault: z.enum(names, allowed(`the name of a fault: ${names.join(', ')}`)),
	/** Default: any tool, or `download` for a fault of downloads. */
	on: z.enum(targets, allowed(`one of ${targets.join(', ')}`)).optional(),
	/** How many requests it strikes; default 1 (`redirect-loop`: Infinity). */
	times: times.optional(),
	/** How many matching requests to let through first; default 0. */
	after: integer().optional(),
	/** Text that the prompt, the file name, the image URL or the download path must contain. */
	when: z.string(allowed('a text')).optional(),
	...details.shape,
});

/** A fault, the requests it strikes, and details of its response. */
export type FaultRule = z.output<typeof schema>;

/** Checks a rule. In JSON, `"times": "always"` stands for Infinity. @throws Error that says what is wrong */
export function checkRule(value: unknown): FaultRule {
	return check('A fault rule', schema, value);
}

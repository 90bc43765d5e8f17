import type { z } from 'zod/v4';

/** Checks a value that came from outside. @throws Error that says what is wrong, and in which field */
export function check<Output>(schema: z.ZodType<Output>, value: unknown): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new Error(result.error.issues.map(describe).join(' '));
}

/** Such as `times: Too small: expected number to be >=1.` */
function describe({ path, message }: z.core.$ZodIssue): string {
	return `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}.`;
}

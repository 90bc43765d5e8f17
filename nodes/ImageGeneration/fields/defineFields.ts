import type { Field } from '../types';

/** Fields whose names the compiler knows, so that reading a misspelt one does not compile. */
export function defineFields<const Name extends string>(
	fields: Array<Field<Name>>,
): Array<Field<Name>> {
	return fields;
}

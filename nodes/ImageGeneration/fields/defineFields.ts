import type { Field } from '../types';

/** Defines fields with names that the compiler knows, so that a misspelled name does not compile. */
export function defineFields<const Name extends string>(
	fields: Array<Field<Name>>,
): Array<Field<Name>> {
	return fields;
}

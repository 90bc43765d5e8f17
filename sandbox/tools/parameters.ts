import type { Form } from '../service/readForm';
import { quote, Refusal } from '../service/refusal';

type Values = Record<string, string>;

/** A text parameter of a tool, or its image. */
export interface Parameter {
	name: string;
	kind: 'text' | 'image';
	required: boolean;
	default?: string;
	/** The only version that uses it; a call with another version ignores its value. */
	usedFor?: string;
	/** @returns what is allowed, as the end of a sentence, or undefined if the value is valid */
	validate(value: string, settings: Values): string | undefined;
}

/** Free text. If it is required, a blank text is refused. */
export function text(name: string, required: boolean): Parameter {
	return { name, kind: 'text', required, validate: () => undefined };
}

/** An uploaded file or an http(s) address (specification 2.2). */
export const image: Parameter = {
	name: 'image',
	kind: 'image',
	required: true,
	validate: (value) =>
		URL.canParse(value) && /^https?:/i.test(value)
			? undefined
			: 'an uploaded file or an http:// or https:// address',
};

/**
 * Width or height (specification 4.1): 128 to 1536 pixels in steps of 32, default 512. The
 * specification recommends 1024x720 although 720 is not a multiple of 32, so that pair is valid.
 */
export function side(name: 'width' | 'height'): Parameter {
	return {
		name,
		kind: 'text',
		required: false,
		default: '512',
		validate: (value, settings) => {
			if (name === 'height' && value === '720' && settings['width'] === '1024') return undefined;
			const pixels = /^[1-9]\d{2,3}$/.test(value) ? Number(value) : NaN;
			return pixels >= 128 && pixels <= 1536 && pixels % 32 === 0
				? undefined
				: 'an integer from 128 to 1536 that is a multiple of 32';
		},
	};
}

/** One of a list of values, case-sensitive. */
export function oneOf(
	name: string,
	values: readonly string[],
	more: Pick<Parameter, 'default' | 'usedFor'> = {},
): Parameter {
	return {
		name,
		kind: 'text',
		required: false,
		validate: (value) => (values.includes(value) ? undefined : `one of ${values.join(', ')}`),
		...more,
	};
}

/** `resolution` (specification 4.1 and 4.3). */
export const resolution = oneOf('resolution', ['2k', '4k'], {
	default: '2k',
	usedFor: 'super_genius',
});

/** Longer side of a super_genius output in pixels; undefined for the other versions. */
export function longEdge(resolution: string | undefined): number | undefined {
	if (resolution === undefined) return undefined;
	return resolution === '4k' ? 4096 : 2048;
}

/**
 * Checks the fields of a call and applies the defaults. Unknown fields are ignored.
 *
 * @throws Refusal 400 that names the field, its value and what is allowed
 */
export function settle(
	parameters: readonly Parameter[],
	{ fields, image: file, problems }: Pick<Form, 'fields' | 'image' | 'problems'>,
): Values {
	const settings: Values = {};
	for (const parameter of parameters) {
		const { name, usedFor } = parameter;
		if (usedFor && usedFor !== settings['image_generator_version']) continue;
		const problem = problems.get(name);
		if (problem !== undefined) throw new Refusal(400, `${name} ${problem}`);
		if (parameter.kind === 'image' && file) continue;
		const value = fields[name];
		if (value === undefined || (parameter.required && value.trim() === '')) {
			const how = value === undefined ? 'not sent' : 'sent empty';
			if (parameter.required) throw new Refusal(400, `${name} is required and was ${how}.`);
			if (parameter.default !== undefined) settings[name] = parameter.default;
			continue;
		}
		const allowed = parameter.validate(value, settings);
		if (allowed) throw new Refusal(400, `${name} is ${quote(value)}; it must be ${allowed}.`);
		settings[name] = value;
	}
	return settings;
}

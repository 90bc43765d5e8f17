import { Refusal, shown } from '../service/refusal';

type Values = Record<string, string>;

/** One text parameter of a tool, or the image. */
export interface Parameter {
	name: string;
	kind: 'text' | 'image';
	required: boolean;
	default?: string;
	/** What is allowed, in words; undefined when the value is in order. */
	complaint(value: string, settings: Values): string | undefined;
	/** Left unchecked and unused otherwise ("used only when"). */
	used(settings: Values): boolean;
}

const always = () => true;

/** Free text. An empty or blank text counts as missing. */
export function text(name: string, required: boolean): Parameter {
	return { name, kind: 'text', required, complaint: () => undefined, used: always };
}

/** An uploaded file or an http(s) address (specification 2.2). */
export const image: Parameter = {
	name: 'image',
	kind: 'image',
	required: true,
	used: always,
	complaint: (value) =>
		isWebAddress(value) ? undefined : 'an uploaded file or an http:// or https:// address',
};

/**
 * Width or height (specification 4.1): 128 to 1536 pixels in steps of 32, default 512. The
 * specification recommends 1024x720 although 720 is no multiple of 32, so that pair is let in.
 */
export function side(name: 'width' | 'height'): Parameter {
	return {
		name,
		kind: 'text',
		required: false,
		default: '512',
		used: always,
		complaint: (value, settings) => {
			if (name === 'height' && value === '720' && settings['width'] === '1024') return undefined;
			const pixels = /^[1-9]\d{2,3}$/.test(value) ? Number(value) : NaN;
			const fits = pixels >= 128 && pixels <= 1536 && pixels % 32 === 0;
			return fits ? undefined : 'an integer from 128 to 1536 that is a multiple of 32';
		},
	};
}

/** One of a list of words, written exactly so. */
export function oneOf(
	name: string,
	words: readonly string[],
	more: { default?: string; hint?: string; used?: (settings: Values) => boolean } = {},
): Parameter {
	return {
		name,
		kind: 'text',
		required: false,
		...(more.default === undefined ? {} : { default: more.default }),
		used: more.used ?? always,
		complaint: (value) =>
			words.includes(value) ? undefined : `one of ${words.join(', ')}${more.hint ?? ''}`,
	};
}

/** `resolution` (specification 4.1 and 4.3), used only for super_genius. */
export const resolution = oneOf('resolution', ['2k', '4k'], {
	default: '2k',
	used: (settings) => settings['image_generator_version'] === 'super_genius',
});

/**
 * Checks the fields of a call and fills in the defaults; unknown fields are ignored.
 *
 * @param hasFile whether the image was uploaded
 * @param fileFields other fields that came as a file part
 * @throws Refusal 400 that names field, value and what is allowed
 */
export function settle(
	parameters: readonly Parameter[],
	fields: Values,
	hasFile: boolean,
	fileFields: ReadonlySet<string> = new Set(),
): Values {
	const settings: Values = {};
	for (const parameter of parameters) {
		const { name } = parameter;
		if (!parameter.used(settings)) continue;
		if (parameter.kind === 'image' && hasFile) continue;
		if (fileFields.has(name)) throw new Refusal(400, `${name} must be a form field, not a file.`);
		const value = fields[name];
		if (value === undefined || (parameter.required && value.trim() === '')) {
			if (parameter.required) throw new Refusal(400, `${name} is required and was not sent.`);
			if (parameter.default !== undefined) settings[name] = parameter.default;
			continue;
		}
		const allowed = parameter.complaint(value, settings);
		if (allowed) throw new Refusal(400, `${name} is ${shown(value)}; it must be ${allowed}.`);
		settings[name] = value;
	}
	return settings;
}

function isWebAddress(value: string): boolean {
	return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

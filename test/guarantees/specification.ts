/** What a request may contain, taken only from part 4 of the specification. */
interface Rules {
	required: string[];
	versions: string[];
	optional: string[];
}

const TOOLS: Record<string, Rules> = {
	text2img: {
		required: ['text'],
		versions: ['standard', 'hd', 'genius', 'super_genius'],
		optional: ['width', 'height', 'genius_preference', 'negative_prompt'],
	},
	'background-remover': { required: ['image'], versions: [], optional: [] },
	'image-editor': {
		required: ['image', 'text'],
		versions: ['genius', 'super_genius'],
		optional: [],
	},
};
const PREFERENCES = ['anime', 'photography', 'graphic', 'cinematic'];

/** What the specification objects to in a request; empty if it is allowed. */
export function specificationErrors(
	model: string,
	fields: Record<string, string>,
	hasFile: boolean,
): string[] {
	const rules = TOOLS[model];
	if (rules === undefined) return [`there is no tool ${model}`];
	const { required, versions, optional } = rules;
	const version = fields.image_generator_version;
	const resolution = version === 'super_genius' ? ['resolution'] : [];
	const known = [...required, ...optional, ...resolution];
	if (versions.length > 0) known.push('image_generator_version');
	const sent = [...Object.keys(fields), ...(hasFile ? ['image'] : [])];
	return [
		...sent.filter((name) => !known.includes(name)).map((name) => `${name} means nothing here`),
		...required.filter((name) => !sent.includes(name)).map((name) => `${name} is missing`),
		...wrong(fields, 'text', (text) => text.trim() !== ''),
		...wrong(fields, 'image', (address) => /^https?:\/\/./i.test(address)),
		...wrong(fields, 'image_generator_version', (value) => versions.includes(value)),
		...wrong(fields, 'resolution', (value) => ['2k', '4k'].includes(value)),
		...wrong(fields, 'genius_preference', (value) => PREFERENCES.includes(value)),
		...wrong(fields, 'genius_preference', () => version === 'genius'),
		...sizeErrors(fields),
	];
}

function sizeErrors(fields: Record<string, string>): string[] {
	// The specification recommends this size although 720 is not a multiple of 32.
	if (fields.width === '1024' && fields.height === '720') return [];
	const fits = (side: string) =>
		/^[1-9]\d*$/.test(side) &&
		Number(side) % 32 === 0 &&
		Number(side) >= 128 &&
		Number(side) <= 1536;
	return [...wrong(fields, 'width', fits), ...wrong(fields, 'height', fits)];
}

function wrong(
	fields: Record<string, string>,
	name: string,
	fits: (value: string) => boolean,
): string[] {
	const value = fields[name];
	return value === undefined || fits(value) ? [] : [`${name} is ${JSON.stringify(value)}`];
}

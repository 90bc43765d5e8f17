import { css, type Palette } from './palette';
import type { Random } from './random';
import { outlineAttributes, type Style, type Subjects } from './style';

type Draw = (paint: { main: string; light: string; dark: string; pen: string }) => string;

/** A shape in a 200 x 200 box, standing on its lower edge. */
interface Shape {
	/** The words that ask for it. */
	words: RegExp;
	/** The words that name what is drawn, whichever of the words asked for it. */
	shows: RegExp;
	draw: Draw;
}

const shapes: readonly Shape[] = [
	{
		words: /^(fox|wolf|dog|puppy|cat|kitten|tiger|lion|bear|animal|rabbit|panda)s?$/,
		shows: /^(fox|animal)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<path d="M150 190C205 190 208 118 172 100C182 132 160 146 140 156Z" fill="${main}"${line}/>\
<path d="M172 100C190 108 196 124 194 140C186 124 180 116 172 100Z" fill="${light}"/>\
<path d="M54 198C46 140 66 108 100 108C138 108 156 142 150 198Z" fill="${main}"${line}/>\
<path d="M80 198C76 158 86 132 100 132C114 132 126 158 122 198Z" fill="${light}"/>\
<path d="M44 24L74 50H126L156 24C160 62 156 92 140 104L100 130L60 104C44 92 40 62 44 24Z" \
fill="${main}"${line}/>\
<path d="M52 84C70 74 88 90 100 128L62 102ZM148 84C130 74 112 90 100 128L138 102Z" fill="${light}"/>\
<circle cx="76" cy="76" r="6" fill="${dark}"/><circle cx="124" cy="76" r="6" fill="${dark}"/>\
<circle cx="100" cy="122" r="8" fill="${dark}"/>`,
	},
	{
		words: /^(house|home|cottage|cabin|hut|barn|castle|tower|building|city|church)s?$/,
		shows: /^(house|building)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<rect x="36" y="96" width="128" height="102" fill="${light}"${line}/>\
<path d="M20 100L100 30L180 100Z" fill="${main}"${line}/>\
<rect x="84" y="136" width="34" height="62" fill="${dark}"/>\
<path d="M50 118h24v24h-24zM128 118h24v24h-24z" fill="${dark}" opacity="0.6"/>`,
	},
	{
		words: /^(boat|ship|sail|sailboat|yacht|sea|ocean|lake|harbou?r)s?$/,
		shows: /^(boat|vehicle)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<path d="M20 150H180L152 196H48Z" fill="${main}"${line}/>\
<path d="M98 20V146H34Z" fill="${light}"${line}/><path d="M106 44V146H162Z" fill="${light}"${line}/>\
<path d="M99 16h6v136h-6z" fill="${dark}"/>`,
	},
	{
		words: /^(rocket|space|spaceship|shuttle|astronaut|robot)s?$/,
		shows: /^(rocket|vehicle)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<path d="M100 6C136 44 138 110 128 160H72C62 110 64 44 100 6Z" fill="${light}"${line}/>\
<path d="M70 112L36 166L72 160ZM130 112L164 166L128 160Z" fill="${main}"${line}/>\
<circle cx="100" cy="78" r="18" fill="${main}"${line}/>\
<path d="M80 164H120L100 198Z" fill="${dark}"/>`,
	},
	{
		words: /^(flower|rose|tulip|garden|sunflower|bouquet)s?$/,
		shows: /^(flower|plant)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<path d="M97 96h7v102h-7z" fill="#3b7a45"/><path d="M102 160C140 156 150 132 150 120C118 122 104 140 \
102 160Z" fill="#4a9455"${line}/>${[0, 60, 120, 180, 240, 300]
			.map(
				(turn) =>
					`<ellipse cx="100" cy="42" rx="19" ry="32" fill="${main}"${line} ` +
					`transform="rotate(${turn} 100 78)"/>`,
			)
			.join('')}<circle cx="100" cy="78" r="20" fill="${light}"/>\
<circle cx="100" cy="78" r="10" fill="${dark}" opacity="0.4"/>`,
	},
	{
		words: /^(car|truck|bus|taxi|van|train)s?$/,
		shows: /^(car|vehicle)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<path d="M10 172V128C10 118 36 116 46 112L72 76H136L164 112C184 114 192 120 192 134V172Z" \
fill="${main}"${line}/><path d="M80 86H100V112H60ZM110 86H132L150 112H110Z" fill="${light}"/>\
<circle cx="56" cy="174" r="23" fill="${dark}"/><circle cx="150" cy="174" r="23" fill="${dark}"/>`,
	},
	{
		words: /^(portrait|woman|man|person|girl|boy|child|people|face)s?$/,
		shows: /^(person|people|human)s?$/,
		draw: ({ main, light, dark, pen: line }) => `\
<path d="M26 198C26 148 62 132 100 132C138 132 174 148 174 198Z" fill="${main}"${line}/>\
<circle cx="100" cy="78" r="46" fill="${light}"${line}/>\
<path d="M52 76C50 26 150 26 148 76C132 70 124 56 120 50C104 70 76 72 52 76Z" fill="${dark}"/>\
<circle cx="84" cy="84" r="5" fill="${dark}"/><circle cx="116" cy="84" r="5" fill="${dark}"/>\
<path d="M84 104Q100 116 116 104" fill="none" stroke="${dark}" stroke-width="4"/>`,
	},
];

const tree: Shape = {
	words: /^(tree|forest|wood)s?$/,
	shows: /^(tree|forest|plant)s?$/,
	draw: ({ main, light, dark, pen: line }) => `\
<path d="M92 120h16v78h-16z" fill="${dark}"/><circle cx="66" cy="98" r="40" fill="${main}"${line}/>\
<circle cx="134" cy="98" r="40" fill="${main}"${line}/>\
<circle cx="100" cy="62" r="48" fill="${main}"${line}/>\
<circle cx="86" cy="50" r="20" fill="${light}" opacity="0.5"/>`,
};

/** Draws what the words name in the foreground, or a tree if they name nothing known; nothing unwanted. */
export function drawSubject(
	{ words, unwanted }: Subjects,
	wide: number,
	tall: number,
	{ subject }: Palette,
	style: Style,
	random: Random,
): string {
	const asked = shapes.filter((shape) => words.some((word) => shape.words.test(word)));
	const isWanted = ({ words: names, shows }: Shape) =>
		!unwanted.some((word) => shows.test(word) || (names.test(word) && words.includes(word)));
	const found = (asked.length > 0 ? asked : [tree]).find(isWanted);
	if (!found) return '';
	const size = Math.min(wide, tall) * 0.5;
	const x = wide * random.between(0.3, 0.6) - size / 2;
	const y = tall * 0.84 - size;
	const paint = {
		main: css(subject),
		light: css([subject[0] + 16, subject[1] * 0.6, 88]),
		dark: css([subject[0], 22, 16]),
		pen: outlineAttributes(style),
	};
	const shadow = `<ellipse cx="100" cy="196" rx="88" ry="10" fill="#000" opacity="0.22"/>`;
	return `<g transform="translate(${x} ${y}) scale(${size / 200})">${shadow}\
${found.draw(paint)}</g>`;
}

import { css, type Hsl } from './palette';
import type { Random } from './random';

type Draw = (paint: { main: string; light: string; dark: string }) => string;

/** A shape in a 200 x 200 box, standing on its lower edge. */
interface Shape {
	/** The words that ask for it, or in a negative prompt leave it out. */
	words: RegExp;
	draw: Draw;
}

const shapes: readonly Shape[] = [
	{
		words: /^(fox|wolf|dog|puppy|cat|kitten|tiger|lion|bear|animal|rabbit|panda)s?$/,
		draw: ({ main, light, dark }) => `\
<path d="M150 190C205 190 208 118 172 100C182 132 160 146 140 156Z" fill="${main}"/>\
<path d="M172 100C190 108 196 124 194 140C186 124 180 116 172 100Z" fill="${light}"/>\
<path d="M54 198C46 140 66 108 100 108C138 108 156 142 150 198Z" fill="${main}"/>\
<path d="M80 198C76 158 86 132 100 132C114 132 126 158 122 198Z" fill="${light}"/>\
<path d="M44 24L74 50H126L156 24C160 62 156 92 140 104L100 130L60 104C44 92 40 62 44 24Z" \
fill="${main}"/>\
<path d="M52 84C70 74 88 90 100 128L62 102ZM148 84C130 74 112 90 100 128L138 102Z" fill="${light}"/>\
<circle cx="76" cy="76" r="6" fill="${dark}"/><circle cx="124" cy="76" r="6" fill="${dark}"/>\
<circle cx="100" cy="122" r="8" fill="${dark}"/>`,
	},
	{
		words: /^(house|home|cottage|cabin|hut|barn|castle|tower|building|city|church)s?$/,
		draw: ({ main, light, dark }) => `\
<rect x="36" y="96" width="128" height="102" fill="${light}"/>\
<path d="M20 100L100 30L180 100Z" fill="${main}"/>\
<rect x="84" y="136" width="34" height="62" fill="${dark}"/>\
<path d="M50 118h24v24h-24zM128 118h24v24h-24z" fill="${dark}" opacity="0.6"/>`,
	},
	{
		words: /^(boat|ship|sail|sailboat|yacht|sea|ocean|lake|harbou?r)s?$/,
		draw: ({ main, light, dark }) => `\
<path d="M20 150H180L152 196H48Z" fill="${main}"/>\
<path d="M98 20V146H34Z" fill="${light}"/><path d="M106 44V146H162Z" fill="${light}"/>\
<path d="M99 16h6v136h-6z" fill="${dark}"/>`,
	},
	{
		words: /^(flower|rose|tulip|garden|sunflower|bouquet)s?$/,
		draw: ({ main, light, dark }) => `\
<path d="M97 96h7v102h-7z" fill="#3b7a45"/><path d="M102 160C140 156 150 132 150 120C118 122 104 140 \
102 160Z" fill="#4a9455"/>${[0, 60, 120, 180, 240, 300]
			.map(
				(turn) =>
					`<ellipse cx="100" cy="42" rx="19" ry="32" fill="${main}" ` +
					`transform="rotate(${turn} 100 78)"/>`,
			)
			.join('')}<circle cx="100" cy="78" r="20" fill="${light}"/>\
<circle cx="100" cy="78" r="10" fill="${dark}" opacity="0.4"/>`,
	},
];

const tree: Shape = {
	words: /^(tree|forest|wood)s?$/,
	draw: ({ main, light, dark }) => `\
<path d="M92 120h16v78h-16z" fill="${dark}"/><circle cx="66" cy="98" r="40" fill="${main}"/>\
<circle cx="134" cy="98" r="40" fill="${main}"/>\
<circle cx="100" cy="62" r="48" fill="${main}"/>\
<circle cx="86" cy="50" r="20" fill="${light}" opacity="0.5"/>`,
};

/** Draws what the words name in the foreground, or a tree if they name nothing known; nothing unwanted. */
export function drawSubject(
	{ words, unwanted }: { words: readonly string[]; unwanted: readonly string[] },
	colour: Hsl,
	{ wide, tall }: { wide: number; tall: number },
	random: Random,
): string {
	const size = Math.min(wide, tall) * 0.5;
	const x = wide * random.between(0.3, 0.6) - size / 2;
	const y = tall * 0.84 - size;
	const shape = shapes.find((known) => words.some((word) => known.words.test(word))) ?? tree;
	if (unwanted.some((word) => shape.words.test(word))) return '';
	const [hue, saturation] = colour;
	const paint = {
		main: css(colour),
		light: css([hue + 16, saturation * 0.6, 88]),
		dark: css([hue, 22, 16]),
	};
	return `<g transform="translate(${x} ${y}) scale(${size / 200})">${shape.draw(paint)}</g>`;
}

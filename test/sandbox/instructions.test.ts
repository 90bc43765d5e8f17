import { parseInstruction } from '../../sandbox/pictures/instruction';

/** Instructions by the edits that they ask for. */
const understood: Record<string, string> = {
	grayscale: `make it black and white | Please make the photo black & white. | b&w | monochrome |
		turn this picture into grayscale | convert the image to greyscale | remove the colors |
		make it colourless | make it black-and-white | make everything grey | without colour |
		apply grayscale to it | desaturate | desaturate it completely | fully desaturate the photo |
		make it completely black and white | remove the colors entirely | I'd like you to make it monochrome | remove all of the color from the image`,
	sepia: `sepia please | apply a sepia filter | give it a vintage look | make it look vintage`,
	invert: `invert | Invert it! | make it a negative | reverse the colours | invert the photo's colors`,
	'rotate 90': `rotate | rotate 90 degrees clockwise | turn the photo clockwise by 90 degrees | turn right`,
	'rotate -90': `rotate it left | rotate the image 90° anti-clockwise | rotate −90 degrees |
		rotate the photo 90 degrees to the left | rotate -90`,
	'rotate 30': `rotate it to the right by 30 degrees`,
	'rotate 180': `turn it 180 degrees | turn the picture upside down | make it upside-down`,
	mirror: `mirror | flip it horizontally | horizontal flip | flip it`,
	flip: `flip vertically | flip it upside down | mirror the image vertically`,
	blur: `Blur it | make it blurry | can you blur the photo? | apply a blur filter | add a blur effect |
		slightly blur it | add some more blur | make it out of focus | make it very blurry`,
	sharpen: `make the picture a bit sharper | sharpen it up | make it crisp`,
	brighter: `brighter | make it a little brighter | brighten it up | increase the brightness | less dark |
		turn up the brightness | make it much brighter`,
	darker: `darken it | make it less bright | lower the brightness of the image`,
	'more contrast': `increase the contrast | give it more contrast | make it higher contrast | add a bit more contrast`,
	'less contrast': `less contrast | low-contrast look | turn down the contrast`,
	'more colourful': `more colorful | boost the colors | make the colors more vivid | less muted`,
	'less colourful': `less saturated | desaturate it a bit | slightly desaturate the photo | reduce the saturation | make it pale`,
	warmer: `make it look warm | warm it up | give it a warmer tone`,
	cooler: `cooler | colder`,
	square: `crop the photo to a square | make it square`,
	pixelate: `pixelate it a lot | make it pixelated | a mosaic`,
	posterize: `turn it into a cartoon | posterise it | cartoon style | make it like a comic book`,
	'white border': `add a border`,
	'black border': `put a black frame around the photo`,
	'tint blue': `make the image blue | give it a blue tint | paint it blue`,
	'grayscale, brighter': `make it black and white and brighter`,
	'blur, black border': `blur it and add a black border.`,
	'brighter 20%': `make it 20% brighter | brighten it by 20 percent | increase the picture's brightness by 20%`,
	'darker 50%': `make it 50 % darker | reduce the brightness by 50% | make it 50% less bright`,
	'less colourful 25%': `25% less saturation | desaturate it by 25%`,
	'brighter, more contrast': `increase brightness and contrast`,
	'less contrast, less colourful': `less contrast and saturation`,
	'grayscale, mirror, black border': `Make it black & white; mirror it! Then add a black border.`,
};

/** Negations, parts of a picture, and whatever else could mean something else. */
const notUnderstood = `don't blur it | without blur | make it anything but blue | remove the blue hat |
		undo the rotation | less blurry | turn the left circle blue | blur the background |
		make only the dog black and white | turn day into night | make him look left |
		make it blue except for the car | replace the negative space | flip the pancake | turn it |
		rotate 90 degrees or 180 | rotate 900 degrees | rotate -90 to the left |
		warm colours in the sunset | brighter, but not too much | blur it or sharpen it | add a hat |
		square the shoulders | make it cool | mach es schwarzweiß | __proto__ | make it constructor |
		not grayscale | it shouldn't be brighter | make it less bright and colorful | add a mirror |
		change blue to red | turn black and white into color | add color | make it 200% brighter |
		20% sepia | rotate 22.5 degrees | make it light | why is it so dark? | contrast |
		make it blue red | make it "grayscale" | brighter!!1 | sharpen her eyes and blur the rest |
		more | make it black | turn up the heat | make it completely dark | blur it completely`;

const cases = [
	...Object.entries(understood).flatMap(([edits, texts]) => list(texts, edits)),
	...list(notUnderstood, undefined),
	...['', '...', 'blur\u0000', 'a'.repeat(300)].map((text) => [text, undefined] as const),
];

function list(texts: string, edits: string | undefined) {
	return texts.split('|').map((text) => [text.trim(), edits] as const);
}

it.each(cases)('understands %j as %s', (instruction, edits) => {
	const names = parseInstruction(instruction)?.map(({ name }) => name);
	expect(names?.join(', ')).toBe(edits);
});

it.each(['not', 'only', 'sky', "don't"])('understands nothing that also says %j', (word) => {
	for (const [instruction] of cases) {
		const words = instruction.split(' ');
		for (const at of words.keys()) {
			expect(parseInstruction(words.toSpliced(at, 0, word).join(' '))).toBeUndefined();
		}
	}
});

it('does not understand an instruction above 300 characters', () => {
	const blurs = Array.from({ length: 100 }, () => 'blur').join(', ');
	expect([parseInstruction('blur, blur'), parseInstruction(blurs)]).toStrictEqual([
		expect.any(Array),
		undefined,
	]);
});

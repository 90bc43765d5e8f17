import { parseInstruction } from '../../sandbox/pictures/instruction';

/** Instructions by the edits that they ask for. */
const understood: Record<string, string> = {
	grayscale: `make it black and white | Make it grayscale | Please make the photo black & white. |
		turn this picture into grayscale | convert the image to greyscale | monochrome | desaturate |
		remove the colors | make it colourless | convert to grayscale | convert to black and white |
		make it black-and-white | desaturate it | make it gray | make everything grey |
		without colour | apply grayscale to it | b&w | I'd like you to make it monochrome |
		remove all of the color from the image`,
	sepia: `make it sepia | sepia please | apply a sepia filter | give it a vintage look | vintage look |
		make it look vintage | retro style`,
	invert: `invert | invert the colours | Invert it! | make it a negative | reverse the colours |
		invert the photo's colors`,
	'rotate 90': `rotate | rotate right | rotate 90 degrees | rotate 90 degrees clockwise |
		turn the photo clockwise by 90 degrees | turn right`,
	'rotate -90': `rotate it left | rotate 90 degrees counterclockwise | rotate the image 90° anti-clockwise |
		rotate the photo 90 degrees to the left | rotate -90 | rotate −90 degrees | turn left`,
	'rotate 45': `rotate by 45 degrees`,
	'rotate 30': `rotate it to the right by 30 degrees`,
	'rotate 180': `turn it 180 degrees | turn the picture upside down | make it upside-down`,
	mirror: `mirror | mirror the image | flip it horizontally | horizontal flip | flip it`,
	flip: `flip vertically | flip it upside down | mirror the image vertically`,
	blur: `Blur it | blur | make it blurry | can you blur the photo? | apply a blur filter |
		add a blur effect | slightly blur it | add some more blur | make it out of focus |
		make it very blurry`,
	sharpen: `sharpen | make the picture a bit sharper | sharpen it up | make it crisp`,
	brighter: `brighter | make it a little brighter | brighten it up | increase the brightness | less dark |
		turn up the brightness | brighten the photo a bit | make it much brighter`,
	darker: `darker | darken it | make it less bright | reduce brightness |
		lower the brightness of the image`,
	'more contrast': `more contrast | increase the contrast | give it more contrast | high contrast |
		make it higher contrast | add contrast | add a bit more contrast`,
	'less contrast': `less contrast | low-contrast look | turn down the contrast`,
	'more colourful': `more colorful | make it vivid | boost the colors | make the colors more vivid |
		more vibrant colours | less muted`,
	'less colourful': `less saturated | reduce the saturation | make it pale`,
	warmer: `warmer | make it look warm | warm it up | give it a warmer tone | make it slightly warmer`,
	cooler: `cooler | colder`,
	square: `crop to a square | crop the photo to a square | make it square`,
	pixelate: `pixelate | pixelate it a lot | make it pixelated | a mosaic`,
	posterize: `turn it into a cartoon | posterise it | cartoon style | make it look like a cartoon |
		make it like a comic book`,
	'white border': `add a white border | add a border`,
	'black border': `put a black frame around the photo`,
	'tint blue': `make the image blue | give it a blue tint | paint it blue`,
	'tint green': `color it green`,
	'tint red': `add a red tint`,
	'rotate -90, mirror': `rotate left, then mirror`,
	'grayscale, brighter': `make it black and white and brighter`,
	'blur, black border': `blur it and add a black border.`,
	'white border, invert': `add a white frame, then invert`,
	'brighter 20%': `make it 20% brighter | brighten it by 20 percent | 20% brighter |
		increase the picture's brightness by 20%`,
	'darker 50%': `make it 50 % darker | reduce the brightness by 50% | make it 50% less bright`,
	'more contrast 30%': `increase contrast by 30%`,
	'less colourful 25%': `25% less saturation`,
	'pink border': `add a pink frame to the image`,
	'gray border': `add a grey border`,
	'brighter, more contrast': `increase brightness and contrast`,
	'less contrast, less colourful': `less contrast and saturation`,
	'grayscale, mirror, black border': `Make it black & white; mirror it! Then add a black border.`,
};

/** Negations, parts of a picture, and whatever else could mean something else. */
const notUnderstood = `don't blur it | do not rotate | without blur | make it anything but blue |
		remove the border | remove the blue hat | undo the rotation | less blurry |
		turn the left circle blue | add a blue hat | blur the background | make the sky darker |
		make only the dog black and white | turn the lights on | turn day into night |
		make him look left | make it blue except for the car | replace the negative space |
		flip the pancake | turn it | rotate 90 degrees or 180 | rotate 900 degrees |
		rotate -90 to the left | warm colours in the sunset |
		make it bright and put a hat on the dog | brighter, but not too much |
		blur it or sharpen it | add a hat | square the shoulders | make it cool |
		mach es schwarzweiß | __proto__ | make it constructor | toString it | remove the hat |
		not grayscale | no vintage look | it shouldn't be brighter |
		make it less bright and colorful | blur all faces | add a mirror |
		add a cartoon to the wall | change blue to red | make blue brighter |
		turn black and white into color | add color | less blur | make it 200% brighter |
		20% sepia | rotate 20% | rotate 22.5 degrees | make it light | I like it dark |
		why is it so dark? | contrast | make it blue red | make it "grayscale" | brighter!!1 |
		blur the border | sharpen her eyes and blur the rest | more | make it black |
		turn up the heat`;

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
	expect([parseInstruction('blur, blur'), parseInstruction(blurs)]).toEqual([
		expect.any(Array),
		undefined,
	]);
});

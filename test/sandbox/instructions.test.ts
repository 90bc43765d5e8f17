import { findEdits } from '../../sandbox/pictures/edits';

/** Instructions by a phrase that asks for the same edits. */
const understood: Record<string, string> = {
	grayscale: `make it black and white | Please make the photo black & white. | monochrome |
		turn this picture into grayscale | convert the image to greyscale | remove the colours | make it grey`,
	sepia: `sepia please | make it sepia | make it vintage`,
	invert: `Invert it! | invert the colours`,
	rotate: `rotate it right | turn the photo right | rotate it 90 degrees`,
	'rotate left': `rotate it left | turn it left`,
	'upside down': `turn the picture upside down | rotate 180 degrees`,
	mirror: `mirror | flip it horizontally | flip it`,
	blur: `Blur it | make it blurry | blur the photo`,
	sharpen: `make the picture sharper`,
	brighter: `make it brighter | brighten the image`,
	darker: `darken it | make my photo darker`,
	'more contrast': `increase the contrast | add contrast`,
	'add a border': `add a white border`,
	'blue tint': `make the image blue | add a blue tint`,
	'grayscale, brighter': `make it black and white and brighter`,
	'blur, add a black border': `blur it, then add a black border.`,
	'rotate left, mirror': `rotate left and then mirror it`,
};

/** Negations, parts of a picture, and whatever else could mean something else. */
const notUnderstood = `don't blur it | without blur | make it anything but blue | remove the blue hat |
	undo the rotation | less blurry | less bright | turn the left circle blue | blur the background |
	make only the dog black and white | turn day into night | make him look left | not grayscale |
	make it blue except for the car | replace the negative space | flip the pancake | turn it |
	rotate 90 degrees or 180 | rotate 900 degrees | brighter, but not too much | blur it or sharpen it |
	add a hat | square the shoulders | mach es schwarzweiß | __proto__ | make it constructor |
	it shouldn't be brighter | make it less bright and colorful | change blue to red | contrast |
	turn black and white into color | why is it so dark? | make it blue red | brighter!!1 | it's blue |
	sharpen her eyes and blur the rest | make it black | blur the photo's background | make it-blur`;

const list = (texts: string) => texts.split('|').map((text) => text.trim());
const cases = Object.entries(understood).flatMap(([phrase, texts]) =>
	list(texts).map((text) => [text, phrase] as const),
);

it.each(cases)('%j asks for the same edits as %j', (instruction, phrase) => {
	expect(findEdits(phrase)).toHaveLength(phrase.split(',').length);
	expect(findEdits(instruction)).toStrictEqual(findEdits(phrase));
});

it.each([...list(notUnderstood), '', '...', 'blur\u0000'])(
	'%j is not understood',
	(instruction) => {
		expect(findEdits(instruction)).toBeUndefined();
	},
);

it.each(['not', 'only', 'sky', "don't", 'less', 'un'])(
	'nothing is understood that also says %j',
	(word) => {
		for (const [instruction] of cases) {
			const words = instruction.split(' ');
			for (const at of words.keys()) {
				const more = words.toSpliced(at, 0, word).join(' ');
				expect([more, findEdits(more)]).toStrictEqual([more, undefined]);
			}
		}
	},
);

it('an instruction of more than five steps is not understood', () => {
	const blurs = (count: number) => Array.from({ length: count }, () => 'blur').join(', ');
	expect([findEdits(blurs(5))?.length, findEdits(blurs(6))]).toStrictEqual([5, undefined]);
});

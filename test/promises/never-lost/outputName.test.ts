import {
	completeName,
	nameAfterPrompt,
	numbering,
} from '../../../nodes/ImageGeneration/images/outputName';

it.each([
	['  A red fox, in the snow!  ', 'a-red-fox-in-the-snow'],
	['One two three four five six seven eight nine', 'one-two-three-four-five-six-seven-eight'],
	['Ein Füchslein', 'ein-füchslein'],
	['夜の狐', '夜の狐'],
	['हिन्दी में', 'हिन्दी-में'],
	['../../etc/passwd', 'etc-passwd'],
	['v1.2', 'v1-2'],
	['🦊', 'image'],
	['', 'image'],
	// No word is cut if another one comes before it.
	[`An ${'x'.repeat(60)} ${'y'.repeat(40)}`, `an-${'x'.repeat(60)}`],
	['狐'.repeat(60), '狐'.repeat(33)],
	// A character of two UTF-16 units is not split.
	['𝒜'.repeat(61), '𝒜'.repeat(25)],
	// Only the beginning of a long prompt is used.
	[`${'!'.repeat(500)}fox`, 'image'],
	[`${'!'.repeat(497)}fox`, 'fox'],
])('the name of an image made from the prompt %j begins with %j', (prompt, name) => {
	expect(nameAfterPrompt(prompt)).toBe(name);
});

it.each([
	['a variation selector behind an emoji', '❤️', 'image'],
	['a joiner between emojis', '👩‍👩‍👧 family', 'family'],
	['the accent of a key', 'Press 1️⃣', 'press-1'],
	['a soft hyphen', 'Foot\u00adball', 'football'],
	['a joiner that parts Persian letters', 'می\u200cخواهم', 'میخواهم'],
	['a letter that fills a Korean syllable', '\u3164', 'image'],
	['an accent without its letter', '\u0301 fox', 'fox'],
])(
	'the name of an image contains nothing that cannot be seen, such as %s',
	(_what, prompt, name) => {
		expect(nameAfterPrompt(prompt)).toBe(name);
	},
);

describe('a default name', () => {
	const fox = { stem: 'a-fox', isMarked: true };

	it('ends in six characters, always the same for the same link', () => {
		const link = 'https://example.com/job-view-file/1/output.jpg';

		// Pinned, because a new version must not save an image again under another name.
		expect(completeName(fox, link)).toBe('a-fox-d31ko5');
	});

	it('ends in other characters for every other link, even if only its query differs', () => {
		const links = Array.from({ length: 1000 }, (_, n) => `https://example.com/view?id=${n}`);

		const names = links.map((link) => completeName(fox, link));
		expect(new Set(names).size).toBe(1000);
		for (const name of names) expect(name).toMatch(/^a-fox-[0-9a-z]{6}$/);
	});
});

describe('the names of a run from File Name', () => {
	it.each([
		['a b a a', 'a b a-2 a-3'],
		['a A', 'a A-2'],
		['A-2 a a', 'A-2 a a-3'],
	])('are numbered if they are equal: %s become %s', (names, unique) => {
		expect(names.split(' ').map(numbering()).join(' ')).toBe(unique);
	});

	it('are numbered in linear time', () => {
		const numbered = numbering();
		const names = Array.from({ length: 10_000 }, () => numbered('photo'));

		expect(new Set(names).size).toBe(10_000);
		expect(names.at(-1)).toBe('photo-10000');
	});
});

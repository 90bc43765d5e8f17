import { nameAfterFile, nameAfterPrompt } from '../../nodes/ImageGeneration/images/fileName';

describe('the name of an image made from a file', () => {
	it.each([
		['photo.jpg', 'photo-edited'],
		['Red bicycle.JPEG', 'Red bicycle-edited'],
		['archive.v2', 'archive.v2-edited'],
		['a/b.png', 'a-b-edited'],
		['', 'image-edited'],
		[`${'ä'.repeat(100)}.png`, `${'ä'.repeat(80)}-edited`],
	])('%s becomes %s', (name, after) => {
		expect(nameAfterFile(name, 'edited')).toBe(after);
	});
});

describe('the name of an image made from a prompt', () => {
	it.each([
		['A red fox', 'a-red-fox'],
		['  A red fox, in the snow!  ', 'a-red-fox-in-the-snow'],
		['One two three four five six seven', 'one-two-three-four-five-six'],
		['Ein Füchslein', 'ein-füchslein'],
		['夜の狐', '夜の狐'],
		['हिन्दी में', 'हिन्दी-में'],
		['../../etc/passwd', 'etc-passwd'],
		['v1.2', 'v1-2'],
		['🦊', 'image'],
		['', 'image'],
		['x'.repeat(61), 'x'.repeat(60)],
		[`${'x'.repeat(59)} yes`, 'x'.repeat(59)],
		// A character of two UTF-16 units is not split.
		['𝒜'.repeat(61), '𝒜'.repeat(60)],
	])('%j is %j', (prompt, name) => {
		expect(nameAfterPrompt(prompt)).toBe(name);
	});

	it('uses only the beginning of a long prompt', () => {
		expect(nameAfterPrompt(`${'!'.repeat(500)}fox`)).toBe('image');
		expect(nameAfterPrompt(`${'!'.repeat(497)}fox`)).toBe('fox');
	});
});

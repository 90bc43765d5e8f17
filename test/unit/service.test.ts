import { toService } from '../../nodes/ImageGeneration/service/service';

const baseUrl = 'https://example.com';
const hide = (apiKey: string, text: string) => toService({ baseUrl, apiKey }).hideKey(text);

describe('the key in what a service says', () => {
	const odd = 'a"b\\c+d/e=%f';

	it.each([
		['as it is', odd],
		['as it stands in JSON', JSON.stringify(odd).slice(1, -1)],
		['as it stands in JSON whose slashes are escaped', 'a\\"b\\\\c+d\\/e=%f'],
		['as it stands in an address', encodeURIComponent(odd)],
	])('is blanked out %s, wherever it stands', (_form, key) => {
		expect(hide(odd, `<${key}> and ${key}`)).toBe('<•••> and •••');
	});

	it('stays where it is so short that it could be an everyday word', () => {
		expect(hide('rabbits', 'No rabbits')).toBe('No rabbits');
		expect(hide('a rabbit'.replace(' ', '-'), 'No a-rabbit')).toBe('No •••');
	});
});

describe('a key', () => {
	it.each([
		[undefined, "'API Key' in the credential is empty."],
		[42, "'API Key' in the credential is empty."],
		['', "'API Key' in the credential is empty."],
		['  ', "'API Key' in the credential is empty."],
		['\n', "'API Key' in the credential is empty."],
		['a\rb', "'API Key' in the credential contains a line break."],
		['a\nb', "'API Key' in the credential contains a line break."],
		['a b', "'API Key' in the credential contains a space or a special character."],
		['abä', "'API Key' in the credential contains a space or a special character."],
		['äab', "'API Key' in the credential contains a space or a special character."],
		['a\u007f', "'API Key' in the credential contains a space or a special character."],
	])('%j is refused in words', (apiKey, words) => {
		expect(() => toService({ baseUrl, apiKey } as never)).toThrow(words);
	});

	it.each(['!', '~', 'a"b'])('%s is taken as it is', (apiKey) => {
		expect(toService({ baseUrl, apiKey }).baseUrl.origin).toBe(baseUrl);
	});
});

import { toService } from '../../nodes/ImageGeneration/service/service';

const baseUrl = 'https://example.com';
const hide = (apiKey: string, text: string) => toService({ baseUrl, apiKey }).hideKey(text);

describe('a key in the service’s text', () => {
	const odd = 'a"b\\c+d/e=%f';

	it.each([
		['as it is', odd],
		['in JSON', JSON.stringify(odd).slice(1, -1)],
		['in JSON with escaped slashes', 'a\\"b\\\\c+d\\/e=%f'],
		['in an address', encodeURIComponent(odd)],
	])('is hidden %s, wherever it appears', (_form, key) => {
		expect(hide(odd, `<${key}> and ${key}`)).toBe('<•••> and •••');
	});

	it('is not hidden if it is short enough to be an ordinary word', () => {
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
	])('%j is rejected with: %s', (apiKey, words) => {
		expect(() => toService({ baseUrl, apiKey } as never)).toThrow(words);
	});

	it.each(['!', '~', 'a"b'])('%s is accepted', (apiKey) => {
		expect(toService({ baseUrl, apiKey }).baseUrl.origin).toBe(baseUrl);
	});
});

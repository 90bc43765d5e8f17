import fc from 'fast-check';

import { keyHider } from '../../../nodes/ImageGeneration/service/key';
import { toService } from '../../../nodes/ImageGeneration/service/service';
import { fuzz, SEED } from '../../support/fuzz';

const baseUrl = 'https://example.com';

/** The ways to write a character. */
const SPELLINGS: Array<(character: string, hex: string) => string> = [
	(character) => character,
	(character) => character.toUpperCase(),
	(character) => JSON.stringify(character).slice(1, -1),
	(character) => (/\w/.test(character) ? character : `\\${character}`),
	(_character, hex) => `\\u00${hex}`,
	(_character, hex) => `\\u00${hex.toUpperCase()}`,
	(_character, hex) => `\\\\u00${hex}`,
	(_character, hex) => `%${hex}`,
	(_character, hex) => `%${hex.toUpperCase()}`,
	(_character, hex) => `%25${hex}`,
	(_character, hex) => `\\u0025${hex}`,
	(_character, hex) => `&#x${hex};`,
	(_character, hex) => `\\u0026#x${hex};`,
	(character) => `&#${character.charCodeAt(0)};`,
];

describe('the key', () => {
	it(`is hidden however its characters are written (seed ${SEED})`, () => {
		const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
		const spelled = fc.tuple(character, fc.constantFrom(...SPELLINGS));
		fc.assert(
			fc.property(fc.array(spelled, { minLength: 8, maxLength: 60 }), (characters) => {
				const key = characters.map(([plain]) => plain).join('');
				// Its backslash could be the first one of the next character's spelling.
				fc.pre(!/\\[u&%]/i.test(key));
				const text = characters
					.map(([plain, spell]) => spell(plain, plain.charCodeAt(0).toString(16)))
					.join('');

				expect(keyHider(key)(`Who is ${text}, please?`)).toBe('Who is •••, please?');
			}),
			fuzz(50),
		);
	});

	const odd = ['a-key-to-hide', 'a+b/c=d?e&f"g', '(.*)+$[^x]{2,}|\\', '........'];

	it.each(odd)('is not treated as a pattern and leaves other text alone: %s', (key) => {
		const others = `${key.slice(1)} ${key.slice(0, -1)} bbbbbbbb 100 % \\u0041 &amp; (x)`;

		expect(keyHider(key)(others)).toBe(others);
	});

	it('is hidden if it is long, also without its end', () => {
		const key = 'a'.repeat(200);

		// The percent sign and the first two letters could be one encoded character.
		expect(keyHider(key)(`%${key}x${key.slice(0, 100)}x`)).toMatch(/^%•••x•••a{0,31}x$/);
	});

	it.each([
		['secret-key-12345', / is not an address\./],
		['ftp://secret-key-12345.example', / is "ftp:\/\/•••\.example"\./],
		['secret-key-12345.example.com/x', / is "•••\.example\.com\/x"\./],
		['some-other-secret', /'Base URL' in the credential (?!.*some-other-secret)/],
	])('is hidden if it was pasted into Base URL: %s', (pasted, words) => {
		expect(() => toService({ baseUrl: pasted, apiKey: 'secret-key-12345' })).toThrow(words);
	});

	it('is hidden if its characters have names in HTML, or lost their backslashes', () => {
		expect(keyHider('abcd+ef/ij==')('abcd&plus;ef&sol;ij&equals;&equals;')).toBe('•••');
		const bare = Array.from('abcdefgh', (c) => `u00${c.charCodeAt(0).toString(16)}`).join('');
		expect(keyHider('abcdefgh')(bare)).toBe('•••');
	});

	it('is not hidden if it is short enough to be an ordinary word', () => {
		expect(keyHider('rabbits')('No rabbits')).toBe('No rabbits');
		expect(keyHider('a-rabbit')('No a-rabbit')).toBe('No •••');
	});
});

describe('a pasted key', () => {
	it.each<[words: string, keys: unknown[]]>([
		['is empty.', [undefined, 42, '', '  ', '\n']],
		['is not a key.', ['a\rb', 'a\nb', 'a b', 'abä', 'äab', 'a\u007f', 'a'.repeat(2001)]],
	])('is rejected because it %s', (words, keys) => {
		const message = `'API Key' in the credential ${words}`;

		for (const apiKey of keys)
			expect(() => toService({ baseUrl, apiKey } as never)).toThrow(message);
	});

	it.each(['!', '~', 'a"b'])('%s is accepted', (apiKey) => {
		expect(toService({ baseUrl, apiKey }).baseUrl.origin).toBe(baseUrl);
	});
});

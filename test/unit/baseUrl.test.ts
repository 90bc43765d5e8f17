import { parseBaseUrl } from '../../nodes/ImageGeneration/service/service';

describe('the Base URL', () => {
	it.each([
		[undefined, "'Base URL' in the credential is empty."],
		['  ', "'Base URL' in the credential is empty."],
		['see https://example.com', `'Base URL' in the credential is "see https://example.com".`],
		['x://me:secret@example.com', "'Base URL' in the credential is not an address."],
		['me@example.com', "'Base URL' in the credential is not an address."],
		['https://', `'Base URL' in the credential is "https://".`],
	])('%j is rejected with: %s', (pasted, words) => {
		expect(() => parseBaseUrl(pasted)).toThrow(words);
	});

	it.each([
		['https://api.example.com', 'https://api.example.com/api/text2img'],
		['https://api.example.com/', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api/', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api/text2img', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api/image-editor/', 'https://api.example.com/api/text2img'],
		[' HTTPS://API.Example.com:443 ', 'https://api.example.com/api/text2img'],
		['http://127.0.0.1:8080//', 'http://127.0.0.1:8080/api/text2img'],
		['https://example.com/images/api', 'https://example.com/images/api/text2img'],
		['https://example.com/apidocs', 'https://example.com/apidocs/api/text2img'],
		['https://api.example.com/?a=1#b', 'https://api.example.com/api/text2img'],
	])('%j gives the endpoint %s', (pasted, endpoint) => {
		expect(parseBaseUrl(pasted).endpoint('text2img')).toBe(endpoint);
	});

	it.each([
		['https://api.example.com/images', 'https://api.example.com'],
		['http://localhost:8080/api', 'http://localhost:8080'],
	])('%s limits the key to %s', (pasted, origin) => {
		expect(parseBaseUrl(pasted).origin).toBe(origin);
	});

	it.each([
		['http://example.com', true],
		['http://10.0.0.5:8080', true],
		['https://example.com', false],
		['http://localhost:8080', false],
		['http://127.0.0.1:8080', false],
		['http://[::1]:8080', false],
	])('%s sends the key unencrypted to another machine: %s', (pasted, isUnencrypted) => {
		expect(parseBaseUrl(pasted).isUnencrypted).toBe(isUnencrypted);
	});

	it.each([
		undefined,
		null,
		42,
		'',
		'  ',
		'api.example.com',
		'ftp://example.com',
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://',
		'https://exa mple.com',
		'https://user@example.com',
		'https://:secret@example.com',
	])('%j is rejected without repeating a password', (pasted) => {
		expect(() => parseBaseUrl(pasted)).toThrow(/^'Base URL' in the credential (?!.*secret)/);
	});
});

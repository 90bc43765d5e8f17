import { NodeHelpers, type INode } from 'n8n-workflow';

import { ImageGenerationApi } from '../../../credentials/ImageGenerationApi.credentials';
import { parseBaseUrl } from '../../../nodes/ImageGeneration/service/service';

describe('the Base URL', () => {
	it.each<[pasted: unknown, words: string]>([
		...[undefined, 42, '', '  '].map((pasted): [unknown, string] => [pasted, ' is empty.']),
		...['api.example.com:8080', 'ftp://example.com', 'file:///etc/passwd', 'https://'].map(
			(pasted): [unknown, string] => [pasted, ` is "${pasted}".`],
		),
		['see https://example.com', ' is "see https://example.com".'],
		['x://me:secret@example.com', ' is not an address.'],
		['https://me@example.com', ' contains a user name or password.'],
		['https://:secret@example.com', ' contains a user name or password.'],
		['localhost', ' is not an address.'],
		['localhost:8080', ' is not an address.'],
		['a-secret-key', ' is not an address.'],
	])('%j is rejected with: %s', (pasted, words) => {
		expect(() => parseBaseUrl(pasted)).toThrow(`'Base URL' in the credential${words}`);
	});

	it.each([
		['https://api.example.com', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api/', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api/text2img', 'https://api.example.com/api/text2img'],
		['https://api.example.com/api/image-editor/', 'https://api.example.com/api/text2img'],
		['api.example.com', 'https://api.example.com/api/text2img'],
		[' API.Example.com/v2/api/ ', 'https://api.example.com/v2/api/text2img'],
		[' HTTPS://API.Example.com:443 ', 'https://api.example.com/api/text2img'],
		['http://127.0.0.1:8080//', 'http://127.0.0.1:8080/api/text2img'],
		['https://example.com/images/api', 'https://example.com/images/api/text2img'],
		['https://api.example.com/?a=1#b', 'https://api.example.com/api/text2img'],
	])('%j gives the endpoint %s', (pasted, endpoint) => {
		expect(parseBaseUrl(pasted).endpoint('text2img')).toBe(endpoint);
	});
});

const notice = new ImageGenerationApi().properties.find(({ type }) => type === 'notice');

/** Whether n8n shows the notice for this Base URL. */
function isShown(baseUrl: string): boolean {
	if (notice === undefined) throw new Error('There is no notice');
	return NodeHelpers.displayParameter({ baseUrl }, notice, null as INode | null, null);
}

describe('the notice about an unencrypted connection', () => {
	it.each([
		['http://images.example', true],
		['http://images.example:8080/api/text2img', true],
		['http://localhost.example', true],
		['http://127.0.0.1.example', true],
		['HTTP://images.example', true],
		[' HTTP://images.example', true],
		['https://images.example', false],
		['HTTPS://images.example', false],
		['images.example', false],
		['a.example', false],
		['http://localhost:8080', false],
		['http://127.0.0.1', false],
		['http://[::1]:8080/', false],
		['HTTP://127.0.0.1', false],
	])('is shown for %s: %p', (address, shown) => {
		expect(isShown(address)).toBe(shown);
	});

	it.each(['', '={{ $vars.address }}'])('is not shown for %j', (baseUrl) => {
		expect(isShown(baseUrl)).toBe(false);
	});

	it('is not required by n8n’s API, which requires everything shown by a condition', () => {
		expect(notice?.displayOptions?.show).toBeUndefined();
	});
});

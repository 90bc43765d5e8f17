import { NodeHelpers, type INode } from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { parseBaseUrl } from '../../nodes/ImageGeneration/service/service';

const notice = new ImageGenerationApi().properties.find(({ type }) => type === 'notice');

/** Whether n8n shows the notice for this Base URL. */
function isShown(baseUrl: string): boolean {
	if (notice === undefined) throw new Error('There is no notice');
	return NodeHelpers.displayParameter({ baseUrl }, notice, null as INode | null, null);
}

describe('the notice about an unencrypted connection', () => {
	it.each([
		'http://images.example',
		'HTTP://images.example:8080/api/text2img',
		' http://10.0.0.7 ',
		'http://localhost.example',
		'http://127.0.0.1.example',
	])('is shown for %s, for which the credential’s test warns as well', (address) => {
		expect([isShown(address), parseBaseUrl(address).isUnencrypted]).toEqual([true, true]);
	});

	it.each([
		'https://images.example',
		'http://localhost:8080',
		'http://localhost/api',
		'http://127.0.0.1',
		' http://[::1]:8080/ ',
	])('is not shown for %s', (address) => {
		expect([isShown(address), parseBaseUrl(address).isUnencrypted]).toEqual([false, false]);
	});

	it.each(['', '={{ $vars.address }}'])('is not shown for %j', (baseUrl) => {
		expect(isShown(baseUrl)).toBe(false);
	});

	it('is not required by n8n’s API, which requires everything shown by a condition', () => {
		expect(notice?.displayOptions?.show).toBeUndefined();
	});
});

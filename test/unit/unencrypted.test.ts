import { NodeHelpers, type INode } from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { parseBaseUrl } from '../../nodes/ImageGeneration/service/baseUrl';

const notice = new ImageGenerationApi().properties.find(({ type }) => type === 'notice');

/** Whether n8n shows the dialog's notice beside this Base URL. */
function isShown(baseUrl: string): boolean {
	if (notice === undefined) throw new Error('There is no notice');
	return NodeHelpers.displayParameter({ baseUrl }, notice, null as INode | null, null);
}

describe('the notice that the key can be read on its way', () => {
	it.each([
		'http://images.example',
		'HTTP://images.example:8080/api/text2img',
		' http://10.0.0.7 ',
		'http://localhost.example',
		'http://127.0.0.1.example',
	])('stands beside %s, where the credential’s test warns, too', (address) => {
		expect([isShown(address), parseBaseUrl(address).isUnencrypted]).toEqual([true, true]);
	});

	it.each([
		'https://images.example',
		'http://localhost:8080',
		'http://localhost/api',
		'http://127.0.0.1',
		' http://[::1]:8080/ ',
	])('does not stand beside %s', (address) => {
		expect([isShown(address), parseBaseUrl(address).isUnencrypted]).toEqual([false, false]);
	});

	it.each(['', '={{ $vars.address }}'])('does not stand beside %j', (baseUrl) => {
		expect(isShown(baseUrl)).toBe(false);
	});

	it('is no field that n8n’s API asks for, as it asks for all that a condition shows', () => {
		expect(notice?.displayOptions?.show).toBeUndefined();
	});
});

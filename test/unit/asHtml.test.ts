import { asHtml } from '../../nodes/ImageGeneration/asHtml';

describe('a text in the editor, which shows HTML', () => {
	it('keeps its lines', () => {
		expect(asHtml('One\nTwo\nThree')).toBe('One<br>Two<br>Three');
	});

	it('says what it says, whatever marks are in it', () => {
		expect(asHtml('<b>"Fish & chips"</b>')).toBe('&lt;b&gt;&quot;Fish &amp; chips&quot;&lt;/b&gt;');
	});

	it.each(['http', 'https'])('leads to its %s addresses, in a tab of their own', (scheme) => {
		const address = `${scheme}://images.example/a.jpg`;
		expect(asHtml(`See ${address} (job 1)`)).toBe(
			`See <a href="${address}" target="_blank">${address}</a> (job 1)`,
		);
	});

	it('leads nowhere else, and out of no attribute', () => {
		expect(asHtml('javascript:alert(1)')).toBe('javascript:alert(1)');
		expect(asHtml('http://x/"onclick="a')).toBe(
			'<a href="http://x/&quot;onclick=&quot;a" target="_blank">http://x/&quot;onclick=&quot;a</a>',
		);
	});
});

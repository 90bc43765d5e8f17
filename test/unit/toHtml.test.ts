import { toHtml } from '../../nodes/ImageGeneration/failures/text';

describe('a text shown as HTML in the editor', () => {
	it('keeps its lines', () => {
		expect(toHtml('One\nTwo\nThree')).toBe('One<br>Two<br>Three');
	});

	it('escapes markup', () => {
		expect(toHtml('<b>"Fish & chips"</b>')).toBe('&lt;b&gt;&quot;Fish &amp; chips&quot;&lt;/b&gt;');
	});

	it.each(['http', 'https'])('links %s addresses, which open in a new tab', (scheme) => {
		const address = `${scheme}://images.example/a.jpg`;
		expect(toHtml(`See ${address} (job 1)`)).toBe(
			`See <a href="${address}" target="_blank">${address}</a> (job 1)`,
		);
	});

	it.each([
		['sends on to ADDRESS. The key', '.'],
		['(ADDRESS)', ')'],
		['ADDRESS, or', ','],
	])('excludes punctuation after an address: %s', (text, behind) => {
		const address = 'https://images.example/a.jpg';

		expect(toHtml(text.replace('ADDRESS', address))).toContain(
			`<a href="${address}" target="_blank">${address}</a>${behind}`,
		);
	});

	it('includes punctuation inside an address', () => {
		expect(toHtml('See https://x.y/a.b/?c=1&d=(22)&e=3 (job 1)')).toContain(
			'<a href="https://x.y/a.b/?c=1&amp;d=(22)&amp;e=3" target="_blank">',
		);
	});

	it('links each of several addresses', () => {
		expect(toHtml('http://a.b/c http://d.e/f\nhttp://g.h/i').match(/href="[^"]*"/g)).toEqual([
			'href="http://a.b/c"',
			'href="http://d.e/f"',
			'href="http://g.h/i"',
		]);
	});

	it('links no other scheme and allows no breakout from an attribute', () => {
		expect(toHtml('javascript:alert(1)')).toBe('javascript:alert(1)');
		expect(toHtml('http://x/"onclick="a')).toBe(
			'<a href="http://x/" target="_blank">http://x/</a>&quot;onclick=&quot;a',
		);
	});
});

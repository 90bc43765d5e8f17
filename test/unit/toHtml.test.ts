import { toHtml } from '../../nodes/ImageGeneration/failures/text';

const link = (address: string) => `<a href="${address}" target="_blank">${address}</a>`;

describe('a text shown as HTML in the editor', () => {
	it.each([
		['keeps its lines', 'One\nTwo\nThree', 'One<br>Two<br>Three'],
		['escapes markup', '<b>"A & b"</b>', '&lt;b&gt;&quot;A &amp; b&quot;&lt;/b&gt;'],
		[
			'links an address',
			'See https://a.b/c.jpg (job 1)',
			`See ${link('https://a.b/c.jpg')} (job 1)`,
		],
		[
			'links each of several',
			'http://a.b\nhttp://c.d',
			`${link('http://a.b')}<br>${link('http://c.d')}`,
		],
		[
			'leaves out a period after an address',
			'to http://a.b/c. The',
			`to ${link('http://a.b/c')}. The`,
		],
		['leaves out brackets around an address', '(http://a.b/c)', `(${link('http://a.b/c')})`],
		['leaves out a comma after an address', 'http://a.b/c, or', `${link('http://a.b/c')}, or`],
		['includes what is inside an address', 'http://a.b/?c=(2)&e', link('http://a.b/?c=(2)&amp;e')],
		['links no other scheme', 'javascript:alert(1)', 'javascript:alert(1)'],
		['ends an address at a quote', 'http://x/"on="a', `${link('http://x/')}&quot;on=&quot;a`],
	])('%s', (_promise, text, html) => {
		expect(toHtml(text)).toBe(html);
	});
});

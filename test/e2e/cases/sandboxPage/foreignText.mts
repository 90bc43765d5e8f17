import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clients, send } from '../../../sandbox/clients.js';
import { photo } from '../../support/fixture.mjs';
import type { SandboxPage } from '../../support/SandboxPage.mjs';

const attacks = [
	'<img src=x onerror="window.pwned=1">',
	'"><script>window.pwned=1</script>',
	"' onmouseover='window.pwned=1",
	'</p></li></ol><h1>pwned</h1>',
	'${window.pwned=1} {{window.pwned=1}} javascript:window.pwned=1',
	'<style>body{display:none}</style>',
	'\u202egnp.exe\u202c \u2067right\u2069',
];

/** Prompts, file names and fields may contain anything. */
export function foreignTextCases(view: () => SandboxPage): void {
	describe('text from outside', () => {
		for (const text of attacks) {
			it(`stays text: ${JSON.stringify(text)}`, async () => {
				const { call, consoleErrors, page, row, sandbox, says } = view();
				const name = `${text.replaceAll('"', "'")}.jpg`;
				const files = { image: { bytes: photo, name, type: 'image/jpeg' } };
				const fields = { text, 'a<b>': text };
				await clients.undici({ url: sandbox.url, tool: 'image-editor', fields, files });
				await call('x', { width: text });
				await send(`${sandbox.url}/api/${encodeURIComponent(text)}`, { method: 'POST' });
				sandbox.arm({ fault: 'status', when: text });
				await row(3).waitFor();
				await says('.armed', 'status');
				assert.equal(await row(1).locator('.prompt').textContent(), text);
				assert.equal(await page.evaluate('window.pwned'), undefined);
				const foreign = '#calls :is(script, style, h1, [onerror], [onmouseover])';
				assert.equal(await page.locator(foreign).count(), 0);
				assert.equal(await page.locator('.picture img').count(), 1);
				assert.deepEqual(consoleErrors, []);
			});
		}

		it('cannot reverse the direction of the text around it', async () => {
			const { call, page, row } = view();
			await call('\u202eabc');
			await call('x', { width: '\u202e\u2067\u200fabc' });
			await row(2).waitFor();
			for (const place of ['.prompt', '.outcome bdi', '.chips bdi']) {
				const isolation = `[...document.querySelectorAll('#calls ${place}')]
					.every((element) => getComputedStyle(element).unicodeBidi === 'isolate')`;
				assert.ok(await page.locator(`#calls ${place}`).count());
				assert.equal(await page.evaluate(isolation), true);
			}
		});

		it('would not run as markup, because only the page’s own scripts may', async () => {
			const { headers } = await send(view().sandbox.url);
			const policy = headers['content-security-policy'] ?? '';
			assert.match(policy, /^default-src 'none'; script-src 'self' 'nonce-[\w+/=]+'; style-src/);
			assert.doesNotMatch(policy, /unsafe/);
		});
	});
}

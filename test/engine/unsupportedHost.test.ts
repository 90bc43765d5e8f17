import { ExecuteContext } from 'n8n-core';

import { useFixture } from '../support/fixture';
import { fox } from '../support/runs';

const fixture = useFixture();
const message =
	'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.';
const inherited = Object.getPrototypeOf(ExecuteContext.prototype) as object;

// Imitates an n8n older than any that can be installed here, and a Node.js older than 20.12.
it.each([
	['getExecutionCancelSignal', inherited],
	['hash', jest.requireActual<object>('node:crypto')],
])('an n8n without %s is rejected before any request', async (name, owner) => {
	const whole = Object.getOwnPropertyDescriptor(owner, name) ?? {};
	Object.defineProperty(owner, name, { ...whole, value: undefined });
	const { error } = await fixture.run(fox()).finally(() => {
		Object.defineProperty(owner, name, whole);
	});

	expect(error?.message).toBe(message);
	expect(error?.description).toBe('Nothing was sent. Update n8n.');
	expect(fixture.calls()).toStrictEqual([]);
});

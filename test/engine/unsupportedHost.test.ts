import { ExecuteContext } from 'n8n-core';

import { useFixture } from '../support/fixture';
import { fox, generate, itemsOf } from '../support/runs';

const fixture = useFixture();
const message =
	'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.';
const inherited = Object.getPrototypeOf(ExecuteContext.prototype) as object;

// Imitates an n8n older than any that can be installed here, and a Node.js older than 20.12.
describe.each([
	['getExecutionCancelSignal', inherited],
	['hash', jest.requireActual<object>('node:crypto')],
])('an n8n without %s', (name, owner) => {
	const whole = Object.getOwnPropertyDescriptor(owner, name) ?? {};
	beforeEach(() => {
		Object.defineProperty(owner, name, { ...whole, value: undefined });
	});
	afterEach(() => {
		Object.defineProperty(owner, name, whole);
	});

	it('is rejected before any request', async () => {
		const { error } = await fixture.run(fox());

		expect(error?.message).toBe(message);
		expect(error?.description).toBe('Nothing was sent. Update n8n.');
		expect(fixture.calls()).toEqual([]);
	});

	it('is rejected with one error item per item if the workflow continues', async () => {
		const { errorRows } = await fixture.run(generate(), {
			items: itemsOf('One', 'Two'),
			node: { onError: 'continueErrorOutput' },
		});

		expect(errorRows.map(({ json, pairedItem }) => [json.title, json.error, pairedItem])).toEqual([
			['One', message, { item: 0 }],
			['Two', message, { item: 1 }],
		]);
	});
});

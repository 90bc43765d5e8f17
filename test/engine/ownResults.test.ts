import { useFixture } from '../support/fixture';
import { removeBackground } from '../support/runs';

const fixture = useFixture();

describe('an image that the node made itself and gets again in another execution', () => {
	it.each([
		['edit', { operation: 'edit', prompt: 'Blur it' }, 'made itself with the same instruction, in'],
		['cut-out', removeBackground(), 'made itself, in execution'],
	])('costs nothing, and the message says how the circle arises: %s', async (_, given, message) => {
		const { rows } = await fixture.run(given, { items: [await fixture.photo()] });
		const items = rows.map(({ binary }) => ({ json: {}, ...(binary !== undefined && { binary }) }));
		const { error } = await fixture.run(given, { items });

		expect(error?.message).toContain(message);
		expect(error?.description).toContain('the place that its own trigger watches');
		expect(fixture.charged()).toBe(1);
	});
});

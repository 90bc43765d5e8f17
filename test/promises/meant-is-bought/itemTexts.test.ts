import type { Item } from '../../../nodes/ImageGeneration/plan/item';
import { ItemTexts } from '../../../nodes/ImageGeneration/plan/itemTexts';

/**
 * Checks a prompt.
 * @param results What expressions insert.
 * @returns the expressions that n8n was asked for
 */
function evaluatedFor(
	written: string,
	value: unknown,
	json: Record<string, unknown> = {},
	results = json,
): string[] {
	const evaluated: string[] = [];
	const context = {
		getInputData: () => [{ json }],
		evaluateExpression: (expression: string) => {
			evaluated.push(expression);
			return results[expression.slice(2, -2)];
		},
	};
	const item = { context, itemIndex: 0, node: {} } as unknown as Item;
	new ItemTexts(item).check({ subject: "'Prompt'", written, value, isRequired: true });
	return evaluated;
}

describe('an expression in a text', () => {
	it.each([
		['=A {{a}} in {{b}} on white', 'A mug in red on white'],
		['={{a}} {{b}}', 'mug red'],
		['={{a}}', 'null island #1'],
		['=A {{a}}, #{{b}}', 'A mug, #red'],
		['={{a}}{{b}}', 'x'.repeat(200_000)],
	])('is not evaluated again if the text shows that it found something: %s', (written, value) => {
		expect(evaluatedFor(written, value)).toStrictEqual([]);
	});

	it.each([
		['=A {{a}} in {{b}} on white', 'A mug in  on white'],
		['=A {{a}} in {{b}} on white', 'A null island in  on white'],
	])('is evaluated once otherwise: %s', (written, value) => {
		expect(evaluatedFor(written, value, { a: 'mug', b: '' })).toStrictEqual(['{{a}}', '{{b}}']);
	});

	it('may join texts with a hashtag, which is no sheet’s error', () => {
		const json = { '"#SALE! " + a': '#SALE! mug' };

		expect(() => evaluatedFor('={{"#SALE! " + a}}', '#SALE! mug', json)).not.toThrow();
	});

	it.each(['#WOW! mug', 'null island'])(
		'is refused if it joins what is missing with %s',
		(caption) => {
			const results = { 'a + ", " + b': `${caption}, undefined` };
			const written = '=Draw {{a + ", " + b}}';
			const asked = () =>
				evaluatedFor(written, `Draw ${caption}, undefined`, { a: caption }, results);

			expect(asked).toThrow('where "undefined" is no value');
		},
	);
});

import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';

import { parameterReader } from '../../nodes/ImageGeneration/plan/planning';

type Context = Pick<IExecuteFunctions, 'getNodeParameter'>;

/** A reader of one parameter, and the items for which it asked n8n. */
function readerOf(written: NodeParameterValueType, valueOf: (itemIndex: number) => unknown) {
	const asked: number[] = [];
	const getNodeParameter = (_name: string, itemIndex: number) => {
		asked.push(itemIndex);
		return valueOf(itemIndex);
	};
	const context = { getNodeParameter } as unknown as Context;
	const read = parameterReader(context, { parameters: { field: written } });
	return { asked, read: (itemIndex: number) => read('field', itemIndex) };
}

it.each([
	['text', 'a fox'],
	['empty text', ''],
	['a number', 5],
	['a boolean', false],
	['options', { timeout: 5, fileName: 'a=b' }],
	['an undefined parameter', undefined],
])('asks n8n once for %s without an expression', (_what, written) => {
	const { asked, read } = readerOf(written as NodeParameterValueType, () => written);

	expect([0, 1, 2].map(read)).toEqual([written, written, written]);
	expect(asked).toEqual([0]);
});

it.each([
	['an expression', '={{ $json.title }}'],
	['an option with an expression', { timeout: 5, fileName: '={{ $json.title }}' }],
	['an expression in a list in an option', { entries: [{ name: 'a' }, { name: '={{ 1 }}' }] }],
])('asks n8n for each item about %s', (_what, written) => {
	const { asked, read } = readerOf(written, (itemIndex) => `value ${itemIndex}`);

	expect([0, 1, 0].map(read)).toEqual(['value 0', 'value 1', 'value 0']);
	expect(asked).toEqual([0, 1, 0]);
});

it('remembers no parameter that n8n could not read', () => {
	const { asked, read } = readerOf('a fox', (itemIndex) => {
		if (itemIndex === 0) throw new Error('n8n could not read it');
		return 'a fox';
	});

	expect(() => read(0)).toThrow('n8n could not read it');
	expect(read(1)).toBe('a fox');
	expect(asked).toEqual([0, 1]);
});

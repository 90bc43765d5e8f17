import { partsToSend } from '../../../nodes/ImageGeneration/fields/additionalFields';
import {
	boolean,
	wholeNumber,
	optional,
	readFields,
} from '../../../nodes/ImageGeneration/fields/field';
import { defineOperation } from '../../../nodes/ImageGeneration/operations/operation';

const seed = wholeNumber({
	displayName: 'Seed',
	default: 0,
	range: { min: 0, max: 99 },
	description: (range) => range,
});
const tool = {
	model: 'tool',
	name: 'Tool',
	action: 'Use tool',
	description: 'Use a tool',
	fields: {},
};
const painter = defineOperation({
	...tool,
	options: { seed: optional(seed), tile: optional(boolean({ displayName: 'Tile' })) },
	textParts: (_fields, options) => ({ seed: options.seed, tile: options.tile }),
});

/** The text parts that are sent if these options were added. */
function sentWith(added: Record<string, unknown>) {
	const options = readFields(painter.options, (name, absent) => added[name] ?? absent);
	return partsToSend(painter.textParts({}, options), {});
}

describe('an option of an operation', () => {
	it('is not sent unless it was added, whatever the panel shows at first', () => {
		expect(painter.options.seed?.property.default).toBe(0);
		expect(sentWith({})).toStrictEqual({});
		expect(sentWith({ seed: null })).toStrictEqual({});
	});

	it.each([
		[{ seed: 0 }, { seed: '0' }],
		[
			{ seed: '7', tile: false },
			{ seed: '7', tile: 'false' },
		],
	])('is sent if it was added, even with the default: %j', (added, sent) => {
		expect(sentWith(added)).toStrictEqual(sent);
	});

	it('does not compile if it has a value without being added', () => {
		const careless = defineOperation({
			...tool,
			// @ts-expect-error This one would be sent with every request.
			options: { seed },
			textParts: () => ({}),
		});

		expect(careless.options.seed).toBe(seed);
	});
});

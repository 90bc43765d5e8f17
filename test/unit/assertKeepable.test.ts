import { Failed } from '../../nodes/ImageGeneration/failures/failures';
import { assertKeepable } from '../../nodes/ImageGeneration/run/assertKeepable';

const NONE = {
	maxImages: Infinity,
	maxImagesPerDay: Infinity,
	purchaseLog: '',
};

describe.each([
	['Max Images', { ...NONE, maxImages: 3 }],
	['Max Images per Day', { ...NONE, maxImagesPerDay: 3 }],
	['Purchase Log', { ...NONE, purchaseLog: 'Images' }],
])('%s', (option, options) => {
	it('is refused without an execution, in words that say what to do', () => {
		const check = () => {
			assertKeepable({ id: '' }, options);
		};

		expect(check).toThrow(Failed);
		expect(check).toThrow(`'${option}' can't `);
	});

	it('is kept in an execution', () => {
		expect(() => {
			assertKeepable({ id: '7' }, options);
		}).not.toThrow();
	});
});

it('nothing is refused without an execution if none of these options is set', () => {
	expect(() => {
		assertKeepable({ id: '' }, NONE);
	}).not.toThrow();
});

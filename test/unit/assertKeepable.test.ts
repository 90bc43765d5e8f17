import { Failed } from '../../nodes/ImageGeneration/failures/failures';
import { assertKeepable } from '../../nodes/ImageGeneration/run/assertKeepable';

const NONE = {
	maxImages: Infinity,
	maxImagesPerDay: Infinity,
	purchaseLog: '',
};

it.each([
	['Max Images', { ...NONE, maxImages: 3 }],
	['Max Images per Day', { ...NONE, maxImagesPerDay: 3 }],
	['Purchase Log', { ...NONE, purchaseLog: 'Images' }],
])('%s is refused without an execution, in words that say what to do', (option, options) => {
	const check = () => {
		assertKeepable({ id: '' }, options);
	};

	expect(check).toThrow(Failed);
	expect(check).toThrow(`'${option}' can't `);
});

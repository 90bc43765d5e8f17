import type * as Retries from '../../nodes/ImageGeneration/buy/retries';

/** Retries follow at once, unless the service asks for a wait. Their real waits have unit tests. */
jest.mock<typeof Retries>('../../nodes/ImageGeneration/buy/retries', () => {
	const real = jest.requireActual<typeof Retries>('../../nodes/ImageGeneration/buy/retries');
	return {
		...real,
		retryWait: (retries, asked) => (asked === undefined ? 10 : real.retryWait(retries, asked)),
	};
});

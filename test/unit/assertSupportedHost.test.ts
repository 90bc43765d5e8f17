import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../../nodes/ImageGeneration/failures/failures';
import { assertSupportedHost } from '../../nodes/ImageGeneration/run';

const present = () => undefined;

/** The parts of n8n's context that the check looks at. */
function hostWith({ onItself = {}, helpers = {} } = {}): IExecuteFunctions {
	const context = {
		getExecutionCancelSignal: present,
		...onItself,
		helpers: { assertBinaryData: present, httpRequestWithAuthentication: present, ...helpers },
	};
	return context as unknown as IExecuteFunctions;
}

const from = Object.getOwnPropertyDescriptor(ReadableStream, 'from') ?? {};
afterEach(() => {
	Object.defineProperty(ReadableStream, 'from', from);
});

/** The rejection's message and advice; empty if the host is accepted. */
function rejection(host: IExecuteFunctions): { message: string; advice: string | undefined } {
	try {
		assertSupportedHost(host);
	} catch (error) {
		if (error instanceof BadInput) return { message: error.message, advice: error.advice };
		throw error;
	}
	return { message: '', advice: undefined };
}

const tooOld = {
	message:
		'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
	advice: 'Nothing was sent. Update n8n.',
};

describe('n8n', () => {
	it('is accepted if it has everything the node uses', () => {
		expect(rejection(hostWith())).toEqual({ message: '', advice: undefined });
	});

	it('is rejected without a signal that Stop aborts', () => {
		const older = hostWith({ onItself: { getExecutionCancelSignal: undefined } });

		expect(rejection(older)).toEqual(tooOld);
	});

	it('is rejected on a Node.js without ReadableStream.from', () => {
		Object.defineProperty(ReadableStream, 'from', { ...from, value: undefined });

		expect(rejection(hostWith())).toEqual(tooOld);
	});
});

import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../../nodes/ImageGeneration/failures/failures';
import { assertSupportedHost } from '../../nodes/ImageGeneration/plan/assertSupportedHost';

const present = () => undefined;

/** What n8n hands to the node, as far as it is looked at. */
function context({ onItself = {}, helpers = {} } = {}): IExecuteFunctions {
	const given = {
		getExecutionCancelSignal: present,
		...onItself,
		helpers: { assertBinaryData: present, httpRequestWithAuthentication: present, ...helpers },
	};
	return given as unknown as IExecuteFunctions;
}

const from = Object.getOwnPropertyDescriptor(ReadableStream, 'from') ?? {};
afterEach(() => {
	Object.defineProperty(ReadableStream, 'from', from);
});

/** What a person reads, if it is refused. */
function refusal(given: IExecuteFunctions): { message: string; advice: string | undefined } {
	try {
		assertSupportedHost(given);
	} catch (error) {
		if (error instanceof BadInput) return { message: error.message, advice: error.advice };
		throw error;
	}
	return { message: '', advice: undefined };
}

const words = {
	message:
		'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
	advice: 'Nothing was sent. Update n8n.',
};

describe('an n8n', () => {
	it('that has all that the node uses is taken', () => {
		expect(refusal(context())).toEqual({ message: '', advice: undefined });
	});

	it.each([
		['getExecutionCancelSignal', { onItself: { getExecutionCancelSignal: undefined } }],
		['assertBinaryData', { helpers: { assertBinaryData: undefined } }],
		['httpRequestWithAuthentication', { helpers: { httpRequestWithAuthentication: undefined } }],
	])('without %s is refused in words', (_name, missing) => {
		expect(refusal(context(missing))).toEqual(words);
	});

	it('on a Node.js without ReadableStream.from is refused in words', () => {
		Object.defineProperty(ReadableStream, 'from', { ...from, value: undefined });

		expect(refusal(context())).toEqual(words);
	});
});

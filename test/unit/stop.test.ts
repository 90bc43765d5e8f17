import type { INode } from 'n8n-workflow';

import { NotStarted } from '../../nodes/ImageGeneration/buy/runCapped';
import {
	BadInput,
	DownloadFailure,
	ConnectionFailure,
	ServiceRejection,
	UnexpectedResponse,
} from '../../nodes/ImageGeneration/failures/failures';
import {
	canceledError,
	nodeError,
	stopOnBadInput,
	stopOnFailure,
} from '../../nodes/ImageGeneration/report/nodeErrors';

const NODE = { name: 'Image Generation', type: 'imageGeneration' } as INode;
const job = (id: string) => ({ id, output_url: `https://example.com/${id}.jpg` });
const bad = { failure: new BadInput('Width is 1.', 'Make it 128.') };
const fine = { value: undefined };
const cut = { failure: new ConnectionFailure('interrupted', 'socket hang up') };
const refused = { failure: new ServiceRejection(400, 'No foxes', undefined, undefined) };
const gone = (id: string) => ({
	failure: new DownloadFailure('The image is gone.', job(id), {
		advice: 'Run it again.',
		passing: false,
	}),
});
const notStarted = { failure: new NotStarted() };

/** What a stop throws. */
function thrown(stop: () => void): ReturnType<typeof nodeError> {
	try {
		stop();
	} catch (error) {
		return error as ReturnType<typeof nodeError>;
	}
	throw new Error('Nothing was thrown');
}

const linesOf = ({ description }: ReturnType<typeof nodeError>) => description?.split('\n');

describe('a stop before the first paid call', () => {
	it('happens only where an item can’t be sent', () => {
		expect(() => stopOnBadInput(NODE, [fine, fine])).not.toThrow();
	});

	it('speaks of the one bad item', () => {
		const error = thrown(() => stopOnBadInput(NODE, [fine, bad]));

		expect(error.name).toBe('NodeOperationError');
		expect(error.message).toBe('Width is 1.');
		expect(error.description).toBe('Make it 128.');
		expect(error.context.itemIndex).toBe(1);
	});

	it('names the other bad items', () => {
		const error = thrown(() => stopOnBadInput(NODE, [bad, fine, bad, bad]));

		expect(error.description).toBe("Make it 128.\nThese items can't be sent either: 2, 3.");
	});

	it.each([
		[20, /: 1, 2, .*, 19, 20\.$/],
		[21, /: 1, 2, .*, 19, 20 …\.$/],
	])('names at most twenty of %i', (others, ending) => {
		const all = Array.from({ length: others + 1 }, () => bad);

		expect(thrown(() => stopOnBadInput(NODE, all)).description).toMatch(ending);
	});
});

describe('a stop after a failure', () => {
	it('happens only where there is one', () => {
		expect(() => stopOnFailure(NODE, [{ value: job('a') }])).not.toThrow();
	});

	it('speaks of what happened, not of items that were never started', () => {
		const error = thrown(() => stopOnFailure(NODE, [notStarted, refused]));

		expect(error.message).toBe('No foxes');
		expect(error.context.itemIndex).toBe(1);
		expect(() => stopOnFailure(NODE, [notStarted])).not.toThrow();
	});

	it('has the service’s words and status, and no count where nothing was finished', () => {
		const error = thrown(() => stopOnFailure(NODE, [refused]));

		expect(error.name).toBe('NodeApiError');
		expect(error.message).toBe('No foxes');
		expect(error.description).toBe(
			'The service refused the request: check the fields of this item.',
		);
		expect(error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
	});

	it('has no status where none came', () => {
		expect(thrown(() => stopOnFailure(NODE, [cut]))).toMatchObject({ httpCode: null });
	});

	it('hands over the one image that was finished before', () => {
		const error = thrown(() => stopOnFailure(NODE, [{ value: job('a') }, refused]));

		expect(error.message).toBe('No foxes (1 image was finished before: see the details)');
		expect(linesOf(error)?.slice(1)).toEqual([
			'Finished and paid for:',
			'https://example.com/a.jpg (job a)',
		]);
	});

	it('hands over all that was finished, and what else is paid for or may be', () => {
		const strange = { failure: new UnexpectedResponse('a page', undefined, { id: 's' }) };
		const error = thrown(() =>
			stopOnFailure(NODE, [
				{ value: job('a') },
				gone('g'),
				cut,
				refused,
				gone('h'),
				strange,
				notStarted,
				{ value: job('b') },
			]),
		);

		expect(error.message).toBe(
			'The image is gone. (2 images were finished before: see the details)',
		);
		expect(linesOf(error)).toEqual([
			'The image is done and paid for. Run it again.',
			'https://example.com/g.jpg (job g)',
			'Item 2 may have been charged, too – The connection ended before the service answered (socket hang up)',
			'Item 4 is paid for, too: https://example.com/h.jpg (job h) – The image is gone.',
			'Item 5 is paid for, too: (job s) – The service answered with a page instead of a job result',
			'Finished and paid for:',
			'https://example.com/a.jpg (job a)',
			'https://example.com/b.jpg (job b)',
		]);
	});

	it('is not taken for a stop in n8n, whatever the service says', () => {
		const words = {
			failure: new ServiceRejection(400, 'canceled by canceled', undefined, undefined),
		};

		expect(thrown(() => stopOnFailure(NODE, [words])).message).toBe('cancelled by cancelled');
	});
});

describe('a stop in n8n', () => {
	it('says so, and that nothing was cut off', () => {
		const error = canceledError(NODE, [notStarted, refused]);

		expect(error.message).toBe('The execution was canceled');
		expect(error.description).toBe('No call was cut off that may have been charged.');
		expect(error.context.itemIndex).toBeUndefined();
	});

	it('says which items may have been charged, and what was finished', () => {
		const error = canceledError(NODE, [{ value: job('a') }, cut, notStarted]);

		expect(error.message).toBe(
			'The execution was canceled (1 image was finished before: see the details)',
		);
		expect(linesOf(error)).toEqual([
			'Calls were under way and may have been charged: look into your account before you run the workflow again.',
			'Item 1 may have been charged, too – The connection ended before the service answered (socket hang up)',
			'Finished and paid for:',
			'https://example.com/a.jpg (job a)',
		]);
	});
});

describe('an error that concerns no item', () => {
	it('has nothing but what happened and what to do', () => {
		const error = nodeError(NODE, bad.failure, {});

		expect(error.message).toBe('Width is 1.');
		expect(error.description).toBe('Make it 128.');
		expect(error.context.descriptionTemplate).toBe('Make it 128.');
	});
});

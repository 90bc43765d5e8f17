import type { INode } from 'n8n-workflow';

import { notStarted, type Failure } from '../../../nodes/ImageGeneration/failures/failures';
import {
	canceledError,
	firstFailure,
	nodeError,
	type Stopping,
} from '../../../nodes/ImageGeneration/report/nodeErrors';
import type { RowOutcome } from '../../../nodes/ImageGeneration/types';
import { invalidRow, jobWith, rowWith } from '../../support/jobs';

/** A production run. */
const RUN: Stopping = {
	node: { name: 'Image Generation', type: 'imageGeneration' } as INode,
	isTool: false,
	execution: { isManual: false, isSubWorkflow: false },
};
const MANUAL: Stopping = {
	...RUN,
	execution: { isManual: true, isSubWorkflow: false },
};
const failed = (failure: Failure) => ({ failure });
const resultOf = (id: string) => ({ id, output_url: `https://example.com/${id}` });
const finished = (id: string) => ({ value: { result: resultOf(id), image: undefined } });
const cut = failed({ kind: 'interrupted', message: 'socket hang up' });
const refused = failed({ kind: 'rejection', status: 400, serviceMessage: 'No foxes' });
const cutOff = (id: string) => failed({ kind: 'download', reason: 'timeout', job: resultOf(id) });
const invalid: Failure = { kind: 'bad input', message: "'Width' is 1.", advice: 'Make it 128.' };
const bad = (itemIndex: number): RowOutcome => ({
	row: invalidRow(invalid, { itemIndex }),
	job: undefined,
	outcome: failed(invalid),
});
const rowOf = (itemIndex: number) => rowWith({ itemIndex, key: `0.${itemIndex}` });
const times = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));

const LIMIT = 'Without a Purchase Log, that works only until n8n restarts.';
const NEXT = `Press Retry (the arrow) in the list of executions, or wait for the next run: it uses the finished images and buys the rest, also what may have been charged already. ${LIMIT}`;

/** One job per outcome, each of its own item. */
const jobs = (...outcomes: Array<RowOutcome['outcome']>): RowOutcome[] =>
	outcomes.map((outcome, itemIndex) => {
		const row = rowOf(itemIndex);
		return { row, job: jobWith({ rows: [row] }), outcome };
	});

/** The error that stops the node. */
function errorOf(...outcomes: RowOutcome[]): ReturnType<typeof canceledError> {
	return errorOfRun(RUN, outcomes);
}

function errorOfRun(run: Stopping, outcomes: RowOutcome[]): ReturnType<typeof canceledError> {
	const failure = firstFailure(outcomes);
	if (failure === undefined) throw new Error('Nothing has failed.');
	return nodeError(run, failure, outcomes);
}

const linesOf = ({ description }: ReturnType<typeof canceledError>) => description?.split('\n');

describe('a stop after a failure', () => {
	it('says what to do, then lists everything finished, paid for or possibly charged', () => {
		const strange = failed({
			kind: 'unexpected response',
			returned: 'a page',
			status: 200,
			job: { id: 's' },
		});
		const others = [cut, refused, cutOff('h'), strange, notStarted, finished('b')];
		const error = errorOf(...jobs(finished('a'), cutOff('g'), ...others));

		expect(error.message).toMatch(
			/^Item 2, "A fox": .*set by 'Timeout'\. \(2 finished images, listed below\)$/,
		);
		expect(linesOf(error)).toStrictEqual([
			expect.stringContaining('paid for'),
			'https://example.com/g (job g)',
			NEXT,
			'Item 3, "A fox" may have been charged as well (The connection closed before the service responded (socket hang up))',
			expect.stringMatching(
				/^Item 5, "A fox" was bought as well: https:..example.com.h \(job h\) \(.*Timeout'\.\)$/,
			),
			'Item 6, "A fox" was bought as well: (job s) (The service returned a page instead of a job result)',
			'Finished and paid for:',
			'Item 1, "A fox": https://example.com/a (job a)',
			'Item 8, "A fox": https://example.com/b (job b)',
		]);
	});

	it('names every job that may have been charged, also if all have the same reason', () => {
		const lines = linesOf(errorOf(...jobs(cut, cut, cut))) ?? [];

		expect(lines.filter((line) => line.includes('may have been charged as well'))).toHaveLength(2);
	});

	const last = 'Item 50, "A fox": https://example.com/49 (job 49)';
	const more = "… and 1 more. n8n's log lists them all.";

	it.each([
		[50, [], [last]],
		[51, ['… and 1 more.'], [last, more]],
	])('lists up to fifty of %i unclear and of as many finished images', (count, unclear, rest) => {
		const images = times(count, (index) => finished(`${index}`));
		const error = errorOf(...jobs(...images, refused, ...times(count, () => cut)));
		const lines = linesOf(error) ?? [];
		const middle = lines.indexOf('Finished and paid for:');

		expect(error.message).toContain(`(${count} finished images`);
		expect(lines[1]).toBe(NEXT);
		expect(lines.slice(52, middle)).toStrictEqual(unclear);
		expect(lines.slice(middle + 50)).toStrictEqual(rest);
	});
});

describe('what to do after a stop', () => {
	const only = 'uses the finished image and buys only the rest';
	const SUB: Stopping = {
		...RUN,
		execution: { isManual: false, isSubWorkflow: true },
	};
	it.each<[run: string, Stopping, step: string]>([
		['a manual run', MANUAL, `Click 'Execute step' again: it ${only}.`],
		['a production run', RUN, `or wait for the next run: it ${only}. ${LIMIT}`],
		['a sub-workflow', SUB, `Run the calling workflow again: it ${only}. ${LIMIT}`],
	])('is said first, of %s, however few images are finished', (_, run, step) => {
		const [, line] = linesOf(errorOfRun(run, jobs(finished('a'), refused))) ?? [];

		expect(line).toContain(step);
	});

	it('is said of an image that is paid for and was not downloaded, which needs no purchase', () => {
		const lines = linesOf(errorOfRun(MANUAL, jobs(cutOff('a')))) ?? [];

		expect(lines.at(-1)).toBe(
			"Click 'Execute step' again: it uses the finished image and buys nothing.",
		);
	});

	const lost = failed({ kind: 'download', reason: 'gone', status: 404 });

	it.each<[what: string, Stopping, RowOutcome[]]>([
		['nothing is finished', MANUAL, jobs(cut, refused)],
		['the link gives no image, so that another run buys it', MANUAL, jobs(lost)],
		['an agent may ask for more images', { ...MANUAL, isTool: true }, jobs(finished('a'), cut)],
	])('is not said if %s', (_, run, outcomes) => {
		expect(errorOfRun(run, outcomes).description).not.toMatch(/Execute step|Retry/);
	});
});

it('a stop in n8n says that nothing was cut off', () => {
	const { description } = canceledError(RUN, jobs(notStarted, refused));

	expect(description).toMatch(/^No paid request was cut off\./);
});

it('a stop in n8n says of images whose answers are awaited that the next run waits for them, and does not buy them again', () => {
	const awaited = failed({ kind: 'awaited' });
	const { description } = canceledError(RUN, jobs(finished('a'), awaited, awaited));

	expect(description).toMatch(/^2 images were being made, .* waits for them and uses them\./);
	expect(description).not.toContain('also what may have been charged');
	const tool = canceledError({ ...RUN, isTool: true }, jobs(awaited));
	expect(linesOf(tool)?.[0]).toBe('1 image was being made, and you were probably charged for it.');
});

it('a stop in n8n lists what may have been charged and what was finished, which the next run uses', () => {
	const all = jobs(cut, ...times(51, (index) => finished(`${index}`)));
	const error = canceledError(RUN, all);
	const lines = linesOf(error) ?? [];

	expect(error.message).toBe('The execution was canceled (51 finished images, listed below)');
	expect([...lines.slice(0, 5), ...lines.slice(-1)]).toStrictEqual([
		'Some requests were cut off and may have been charged. Check your account before you run the workflow again.',
		`The next run uses the finished images and buys the rest, also what may have been charged already. ${LIMIT}`,
		'Item 1, "A fox" may have been charged as well (The connection closed before the service responded (socket hang up))',
		'Finished and paid for:',
		'Item 2, "A fox": https://example.com/0 (job 0)',
		"… and 1 more. n8n's log lists them all.",
	]);
});

it('rows that get the same image are one line, and a failure says how many there are', () => {
	const rows = [rowOf(0), rowOf(1), rowOf(2)] as const;
	const all = (outcome: RowOutcome['outcome']) =>
		rows.map((row) => ({ row, job: jobWith({ rows }), outcome }));

	expect(errorOf(...all(refused)).message).toMatch(/^Item 1, "A fox" and 2 equal items: No foxes$/);
	const { message } = errorOf(...all(finished('a')), ...jobs(refused));
	expect(message).toContain('(1 finished image, listed below)');
});

it('an invalid item is no error of the service, and the others are listed once each', () => {
	const error = errorOf(...jobs(notStarted), bad(1), bad(1), bad(2), bad(4), bad(4));
	const description =
		"Make it 128.\nThese items can't be sent either: 3 and 5.\nThe other items were not bought. To buy those that are valid, set 'On Error' to 'Continue' in the node's settings.";

	expect(error).toMatchObject({ name: 'NodeOperationError', message: "Item 2: 'Width' is 1." });
	expect(error.description).toBe(description);
	expect(error.context.descriptionTemplate).toBe(description.replaceAll('\n', '<br>'));
});

it('an invalid item says nothing of others if there are none, or if some were bought', () => {
	expect(errorOf(bad(0), bad(1)).description).not.toContain('not bought');
	expect(errorOf(...jobs(finished('a')), bad(1)).description).not.toContain('not bought');
});

it.each([
	[20, /: 2, 3, .*, 20 and 21\.$/],
	[21, /: 2, 3, .*, 20, 21 and 1 more\.$/],
])('up to twenty of %i other invalid items are listed', (others, ending) => {
	expect(errorOf(...times(others + 1, bad)).description).toMatch(ending);
});

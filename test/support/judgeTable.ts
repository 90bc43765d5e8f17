import type { Word } from '../../nodes/ImageGeneration/recall/judge';

/** What n8n returns of an execution: the parts that the node reads. */
interface Stored {
	error?: string;
	/** Names of the nodes that have output. */
	output?: string[];
	/** Whether n8n made up the output as it started. */
	isMadeUp?: boolean;
	/** The node that ran last, if it is a sub-node, such as an agent's model. */
	subNode?: string;
	/** Names of the nodes that are left to run. */
	stack?: string[];
	/** Until when it waits, or waited, in milliseconds from now. */
	waits?: number;
	/** The execution that calls it, and whether it waits for it. */
	caller?: { id: string; isWaiting: boolean };
}

/** An execution, what n8n returns of it, and what the node concludes. */
export interface JudgeRow {
	/** What is true of the execution. */
	execution: string;
	/** What n8n says, in words. */
	answer: string;
	word: Word;
	/** What n8n returns, by id; the purchase is of the execution 7, its caller is 6. */
	stored: Record<string, Stored | 'no answer'>;
	/** What is special about the purchase. */
	purchase?: {
		execution?: string;
		parent?: string;
		isLive?: boolean;
		isOwn?: boolean;
		age?: number;
	};
}

const STOPPED = 'The execution was cancelled manually';
const KILLED = 'Workflow did not finish, possible out-of-memory issue';
const TOO_OFTEN = 'This execution failed to be processed too many times and will no longer retry';
const HOUR = 60 * 60 * 1000;
/** Until a sub-workflow ends. */
const FOR_EVER = Date.parse('2999-12-31');

const RUNNING: Stored = { stack: ['Trigger'] };
const WELL: Stored = { output: ['Trigger', 'Draw', 'Later'] };
const CALLED: Stored = { ...WELL, caller: { id: '6', isWaiting: true } };

/** Every answer of n8n that was seen, and what it means for the images of the execution. */
export const JUDGE_ROWS: readonly JudgeRow[] = [
	{
		execution: 'a run of it goes on in this process',
		answer: 'is not asked',
		word: 'goes on',
		stored: {},
		purchase: { isLive: true },
	},
	{
		execution: 'runs; or n8n has not noticed its death, or could not store its end',
		answer: 'nothing but the trigger, left to run',
		word: 'goes on',
		stored: { 7: RUNNING },
	},
	{
		execution: 'runs, with _Save execution progress_; or is Retry, and runs',
		answer: 'some output, the next node left to run',
		word: 'goes on',
		stored: { 7: { output: ['Trigger', 'Draw'], stack: ['Later'] } },
	},
	{
		execution: 'ended well',
		answer: 'all output, nothing left to run',
		word: 'ended well',
		stored: { 7: WELL },
	},
	{
		execution: 'its time limit was over while a later node ran; stopped there, n8n 1',
		answer: 'the output so far, nothing left to run, no error',
		word: 'ended well',
		stored: { 7: { output: ['Trigger', 'Draw'] } },
	},
	{
		execution: 'failed, in this node or a later one',
		answer: 'an error, the output so far',
		word: 'did not end well',
		stored: { 7: { error: 'Rejected', output: ['Trigger', 'Draw'], stack: ['Later'] } },
	},
	{
		execution: 'stopped, n8n 2',
		answer: 'an error, no output',
		word: 'did not end well',
		stored: { 7: { error: STOPPED, stack: ['Trigger'] } },
	},
	{
		execution: 'killed, and n8n was started again',
		answer: 'an error, an item made up for each node',
		word: 'did not end well',
		stored: { 7: { error: KILLED, output: ['Trigger', 'Draw'], stack: ['Trigger'] } },
	},
	{
		execution: 'killed in a later round of a loop, and n8n was started again',
		answer: 'no error, an item made up for each node, the trigger left to run',
		word: 'did not end well',
		stored: { 7: { output: ['Trigger', 'Draw'], isMadeUp: true, stack: ['Trigger'] } },
	},
	{
		execution: 'is Retry of such an execution, and runs in this process',
		answer: 'the same',
		word: 'goes on',
		stored: { 7: { output: ['Trigger', 'Draw'], isMadeUp: true, stack: ['Trigger'] } },
		purchase: { isOwn: true },
	},
	{
		execution: 'a sub-workflow that ended well, whose caller was killed in a later round',
		answer: 'all output; of the caller an item made up for each node',
		word: 'did not end well',
		stored: { 7: CALLED, 6: { output: ['Trigger', 'Call'], isMadeUp: true, stack: ['Trigger'] } },
	},
	{
		execution: 'runs an AI agent last, with _Save execution progress_',
		answer: 'some output, the last of a sub-node, nothing left to run',
		word: 'goes on',
		stored: { 7: { output: ['Trigger', 'Draw'], subNode: 'Model' } },
	},
	{
		execution: 'its worker was killed, and another one noticed it',
		answer: 'an error, no output',
		word: 'did not end well',
		stored: { 7: { error: TOO_OFTEN, stack: ['Trigger'] } },
	},
	{
		execution: 'is not saved, or was deleted',
		answer: 'nothing',
		word: 'nobody knows',
		stored: {},
	},
	{
		execution: 'none, as in n8n’s Agents',
		answer: 'is not asked',
		word: 'nobody knows',
		stored: {},
		purchase: { execution: '' },
	},
	{
		execution: 'waits',
		answer: 'waits until later, no error',
		word: 'goes on',
		stored: { 7: { output: ['Trigger', 'Draw'], stack: ['Wait'], waits: HOUR } },
	},
	{
		execution: 'runs again after it waited',
		answer: 'waited until earlier, no error',
		word: 'goes on',
		stored: { 7: { output: ['Trigger', 'Draw'], stack: ['Wait'], waits: -HOUR } },
	},
	{
		execution: 'stopped or killed while it waited',
		answer: 'an error, although it waits until later',
		word: 'did not end well',
		stored: { 7: { error: STOPPED, output: ['Trigger', 'Draw'], stack: ['Wait'], waits: HOUR } },
	},
	{
		execution: 'killed after it waited',
		answer: 'an error, waited until earlier',
		word: 'did not end well',
		stored: { 7: { error: KILLED, output: ['Trigger', 'Draw'], stack: ['Wait'], waits: -HOUR } },
	},
	{
		execution: 'a sub-workflow that ended well, whose caller goes on',
		answer: 'all output; of the caller nothing but what is left to run',
		word: 'goes on',
		stored: { 7: CALLED, 6: { stack: ['Call'] } },
	},
	{
		execution: 'a sub-workflow that ended well, whose caller waits for another one',
		answer: 'all output; the caller waits until 2999',
		word: 'goes on',
		stored: { 7: CALLED, 6: { stack: ['Call'], waits: FOR_EVER } },
	},
	{
		execution: 'a sub-workflow that ended well, whose caller did not',
		answer: 'all output; of the caller an error',
		word: 'did not end well',
		stored: { 7: CALLED, 6: { error: STOPPED, stack: ['Call'] } },
	},
	{
		execution: 'the same, and its caller’s caller did not',
		answer: 'all output of both; of the third an error',
		word: 'did not end well',
		stored: {
			7: CALLED,
			6: { ...WELL, caller: { id: '5', isWaiting: true } },
			5: { error: STOPPED, stack: ['Call'] },
		},
	},
	{
		execution: 'a sub-workflow that ended well, and so did its caller',
		answer: 'all output of both',
		word: 'ended well',
		stored: { 7: CALLED, 6: WELL },
	},
	{
		execution: 'a sub-workflow that ended well, whose caller is not saved',
		answer: 'all output; of the caller nothing',
		word: 'ended well',
		stored: { 7: CALLED },
	},
	{
		execution: 'a sub-workflow that ended well, whose caller did not wait for it and failed',
		answer: 'all output, and that the caller does not wait',
		word: 'ended well',
		stored: { 7: { ...WELL, caller: { id: '6', isWaiting: false } }, 6: { error: 'Rejected' } },
	},
	{
		execution: 'a sub-workflow that failed, whose caller goes on',
		answer: 'an error; the caller is not asked',
		word: 'did not end well',
		stored: { 7: { ...CALLED, error: 'Rejected' }, 6: RUNNING },
	},
	{
		execution: 'a sub-workflow that is not saved, whose caller did not end well',
		answer: 'nothing; of the caller, which the purchase names, an error',
		word: 'did not end well',
		stored: { 6: { error: STOPPED, stack: ['Call'] } },
		purchase: { parent: '6' },
	},
	{
		execution: 'of another process, whose row has not changed for an hour',
		answer: 'nothing but the trigger, left to run',
		word: 'did not end well',
		stored: { 7: RUNNING },
		purchase: { age: HOUR + 1 },
	},
	{
		execution: 'the same, but it waits',
		answer: 'waits until later, no error',
		word: 'goes on',
		stored: { 7: { output: ['Trigger', 'Draw'], stack: ['Wait'], waits: HOUR } },
		purchase: { age: HOUR + 1 },
	},
	{
		execution: 'the same, but it is a sub-workflow whose caller waits',
		answer: 'nothing but the trigger; the caller waits until later',
		word: 'goes on',
		stored: {
			7: { ...RUNNING, caller: { id: '6', isWaiting: true } },
			6: { stack: ['Call'], waits: HOUR },
		},
		purchase: { age: HOUR + 1 },
	},
	{
		execution: 'of this process, whose row has not changed for an hour',
		answer: 'nothing but the trigger, left to run',
		word: 'goes on',
		stored: { 7: RUNNING },
		purchase: { isOwn: true, age: HOUR + 1 },
	},
	{
		execution: 'any, if n8n’s database is away',
		answer: 'no answer',
		word: 'goes on',
		stored: { 7: 'no answer' },
	},
];

/** As n8n returns it (2.41.1). */
export function asN8nStores(
	{ error, output = [], isMadeUp = false, subNode, stack = [], waits, caller }: Stored,
	now: number,
) {
	const json = isMadeUp ? { isArtificialRecoveredEventItem: true } : {};
	const ran = [{ executionStatus: 'success', data: { main: [[{ json }]] } }];
	const inSubNode = [{ executionStatus: 'success', data: { ai_languageModel: [[{ json: {} }]] } }];
	const runData = Object.fromEntries(output.map((name) => [name, ran]));
	return {
		...(waits !== undefined && { waitTill: new Date(now + waits).toISOString() }),
		...(caller !== undefined && {
			parentExecution: {
				executionId: caller.id,
				workflowId: 'calling',
				...(!caller.isWaiting && { shouldResume: false }),
			},
		}),
		resultData: {
			...(error !== undefined && { error: { message: error } }),
			runData: subNode === undefined ? runData : { ...runData, [subNode]: inSubNode },
			lastNodeExecuted: subNode ?? output.at(-1),
		},
		executionData: {
			nodeExecutionStack: stack.map((name) => ({ node: { name } })),
		},
	};
}

/** The table of docs/development/payments.md. */
export const judgeTable = (): string[][] => [
	['The execution of an image', 'What n8n returns (2.41.1, 1.123.81)', 'So it …'],
	...JUDGE_ROWS.map(({ execution, answer, word }) => [execution, answer, `_${word}_`]),
];

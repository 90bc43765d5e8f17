import type { IExecuteFunctions } from 'n8n-workflow';

import { askN8n } from '../../../nodes/ImageGeneration/n8n/storedExecution';
import { Journal } from '../../../nodes/ImageGeneration/recall/journal';
import { Judge, Questions } from '../../../nodes/ImageGeneration/recall/judge';
import { NodeRun } from '../../../nodes/ImageGeneration/recall/nodeRun';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const HOUR = 60 * 60 * 1000;
/** Until a sub-workflow ends. */
const FOR_EVER = Date.parse('2999-12-31') - NOW;

/** What n8n returns of an execution: the parts that the node reads. */
interface Stored {
	error?: string;
	/** Type of the node that the error comes from. */
	errorNode?: string;
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

/** As n8n returns it (2.41.1). */
function asN8nStores(stored: Stored) {
	const { error, errorNode, output = [], isMadeUp, subNode, stack = [], waits, caller } = stored;
	const json = isMadeUp === true ? { isArtificialRecoveredEventItem: true } : {};
	const ran = [{ executionStatus: 'success', data: { main: [[{ json }]] } }];
	const inSubNode = [{ executionStatus: 'success', data: { ai_languageModel: [[{ json: {} }]] } }];
	const runData = Object.fromEntries(output.map((name) => [name, ran]));
	return {
		...(waits !== undefined && { waitTill: new Date(NOW + waits).toISOString() }),
		...(caller !== undefined && {
			parentExecution: {
				executionId: caller.id,
				workflowId: 'calling',
				...(!caller.isWaiting && { shouldResume: false }),
			},
		}),
		resultData: {
			...(error !== undefined && { error: { message: error, node: { type: errorNode } } }),
			runData: subNode === undefined ? runData : { ...runData, [subNode]: inSubNode },
			lastNodeExecuted: subNode ?? output.at(-1),
		},
		executionData: {
			nodeExecutionStack: stack.map((name) => ({ node: { name } })),
		},
	};
}

/** A process, and an n8n that has stored this. */
function judging(stored: Record<string, Stored | 'no answer'>) {
	const journal = new Journal();
	const asked: string[] = [];
	const context: Partial<Record<keyof IExecuteFunctions, unknown>> = {
		getExecutionDataById: async (id: string) => {
			asked.push(id);
			const found = stored[id];
			if (found === 'no answer') throw new Error('The database did not answer.');
			return found && asN8nStores(found);
		},
	};
	const ask = askN8n(context as unknown as IExecuteFunctions);
	const judge = () => new Judge({ journal, timeOfDay: () => NOW }, ask);
	const word = async (execution = '7', questions = new Questions()) =>
		await judge().didNotEndWell('a node', execution, questions);
	return { journal, asked, judge, word };
}

const STOPPED = 'The execution was cancelled manually';
const KILLED = 'Workflow did not finish, possible out-of-memory issue';
const TOO_OFTEN = 'This execution failed to be processed too many times and will no longer retry';
const GATE = 'n8n-nodes-base.stopAndError';

const RUNNING: Stored = { stack: ['Trigger'] };
const WELL: Stored = { output: ['Trigger', 'Draw', 'Later'] };
const CALLED: Stored = { ...WELL, caller: { id: '6', isWaiting: true } };
const WAITS: Stored = { output: ['Trigger', 'Draw'], stack: ['Wait'], waits: HOUR };
const WAITED: Stored = { ...WAITS, waits: -HOUR };
const FAILED: Stored = { error: 'No rows', output: ['Trigger', 'Draw'], stack: ['Later'] };
const MADE_UP: Stored = { output: ['Trigger', 'Draw'], isMadeUp: true, stack: ['Trigger'] };

type Row = [execution: string, stored: Record<string, Stored | 'no answer'>];

const DID_NOT_END_WELL: Row[] = [
	['failed, in this node or a later one', { 7: FAILED }],
	['was stopped, in n8n 2', { 7: { error: STOPPED, stack: ['Trigger'] } }],
	['was stopped or killed while it waited', { 7: { ...WAITS, error: STOPPED } }],
	['was killed after it waited', { 7: { ...WAITED, error: KILLED } }],
	['was killed, and n8n was started again', { 7: { ...MADE_UP, error: KILLED } }],
	['lost its worker, which another one noticed', { 7: { error: TOO_OFTEN, stack: ['Trigger'] } }],
	['ended well, but not the one that waited for it', { 7: CALLED, 6: FAILED }],
	['failed, whatever the one that waits for it does', { 7: { ...CALLED, ...FAILED }, 6: RUNNING }],
];

const ENDED_WELL_OR_UNKNOWN: Row[] = [
	['ended well', { 7: WELL }],
	['ran into its time limit in a later node', { 7: { output: ['Trigger', 'Draw'] } }],
	['was ended on purpose, by Stop And Error', { 7: { ...FAILED, errorNode: GATE } }],
	['the same, in a sub-workflow', { 7: { ...CALLED, ...FAILED, errorNode: GATE }, 6: FAILED }],
	['ended well, and so did its caller', { 7: CALLED, 6: WELL }],
	[
		'ended well, and Stop And Error ended its caller',
		{ 7: CALLED, 6: { ...FAILED, errorNode: GATE } },
	],
	['ended well, and n8n has nothing of its caller', { 7: CALLED }],
	[
		'ended well, whose caller did not wait for it and failed',
		{ 7: { ...WELL, caller: { id: '6', isWaiting: false } }, 6: FAILED },
	],
	['is not saved, or was deleted', {}],
];

const FOUND_DEAD: Row[] = [
	['was killed in a later round of a loop, and n8n was started again', { 7: MADE_UP }],
	['ended well, and its caller was found dead', { 7: CALLED, 6: MADE_UP }],
];

const GOES_ON: Row[] = [
	['runs, or its death was not noticed', { 7: RUNNING }],
	['runs, with Save Execution Progress', { 7: { output: ['Trigger', 'Draw'], stack: ['Later'] } }],
	['runs an AI agent last, whose model has output', { 7: { output: ['Draw'], subNode: 'Model' } }],
	['waits', { 7: WAITS }],
	['runs again after it waited', { 7: WAITED }],
	['ended well, and its caller runs', { 7: CALLED, 6: { stack: ['Call'] } }],
	[
		'ended well, and its caller waits for another one',
		{ 7: CALLED, 6: { ...WAITS, waits: FOR_EVER } },
	],
	['is not known, because n8n’s database is away', { 7: 'no answer' }],
	['ended well, and of its caller n8n gives no answer', { 7: CALLED, 6: 'no answer' }],
];

describe.each([
	['did not end well, for good', DID_NOT_END_WELL, true, true],
	['did not end badly, for good', ENDED_WELL_OR_UNKNOWN, false, true],
	['did not end well, unless Retry changes that', FOUND_DEAD, true, false],
	['has not ended badly so far', GOES_ON, false, false],
])('n8n’s answer means that an execution %s, if it', (_meaning, rows, didNotEndWell, isFinal) => {
	it.each(rows)('%s', async (_execution, stored) => {
		const { journal, word } = judging(stored);

		expect(await word()).toBe(didNotEndWell);
		expect(journal.wordOn('7')).toBe(isFinal ? didNotEndWell : undefined);
	});
});

it('n8n is not asked about an execution in which a run of the node goes on in this process', async () => {
	const { journal, asked, word } = judging({ 7: FAILED });
	const run = new NodeRun('a node', '7', 0, 0);
	journal.begin(run);
	expect(await word()).toBe(false);
	expect(asked).toStrictEqual([]);
	journal.end(run);

	expect(await word()).toBe(true);
});

it('a final word is asked for once in a process, and one that may change again by the next run', async () => {
	const { asked, word } = judging({ 7: FAILED, 8: RUNNING });
	for (const execution of ['7', '7', '8', '8']) await word(execution);

	expect(asked).toStrictEqual(['7', '8', '8']);
});

it('a run asks about an execution once, however many images it has', async () => {
	const { asked, judge } = judging({ 7: RUNNING });
	const one = judge();
	const both = [1, 2].map(async () => await one.didNotEndWell('a node', '7', new Questions()));

	expect(await Promise.all(both)).toStrictEqual([false, false]);
	expect(asked).toStrictEqual(['7']);
});

it('one request asks n8n twenty new questions at most, and what is left unasked counts as ended well', async () => {
	const { asked, word } = judging(
		Object.fromEntries([...Array(22).keys()].map((id) => [id, FAILED])),
	);
	const questions = new Questions();
	const words: boolean[] = [];
	for (let id = 0; id < 22; id++) words.push(await word(String(id), questions));

	expect(words).toStrictEqual([...Array<boolean>(20).fill(true), false, false]);
	expect(asked).toHaveLength(20);
	// What is known is no question.
	expect(await word('0', questions)).toBe(true);
});

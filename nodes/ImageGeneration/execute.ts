import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { deliver, isFree, jobsOf } from './buy/deliver';
import { notStarted, runCapped } from './buy/runCapped';
import { settle, unwrap } from './failures/outcome';
import { planAll } from './plan/planAll';
import { planItem } from './plan/planItem';
import { canceledError, nodeError, stopOnBadInput, stopOnFailure } from './report/nodeErrors';
import { toOutputItem } from './report/outputItems';
import { isToolCall, setUp } from './run';

/** Checks all items, has their jobs done a few at a time, and returns them in order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const input = context.getInputData();
	// A model can act on what went wrong: n8n 2.40.3 goes on unless told to stop, 1.123.81 stops.
	const toldToStop = node.onError === 'stopWorkflow';
	const goesOn = context.continueOnFail() || (isToolCall(context) && !toldToStop);

	const setup = await settle(setUp(context));
	if ('failure' in setup) {
		if (!goesOn) throw nodeError(node, setup.failure, {});
		return [input.map((item, index) => toOutputItem(setup, item, index, node))];
	}
	const run = setup.value;

	const isStopped = () => run.signal?.aborted === true;
	const plans = await planAll(
		input.length,
		async (index) => await planItem(context, run, index),
		// What an earlier try paid for is found by its plan, so a stop must not end this then.
		run.earlier.isEmpty() ? run.signal : undefined,
	);
	if (!goesOn && !isStopped()) {
		stopOnBadInput(node, plans);
		// What no further try can settle stops this one, too: nothing more is bought in front of it.
		const unstarted = plans.map(() => notStarted);
		stopOnFailure(node, jobsOf(unstarted, plans, run.earlier));
	}

	const outcomes = await runCapped(
		plans,
		async (plan, index, ends) => await deliver(context, run, unwrap(plan), index, ends),
		{ ...run, stopOnFailure: !goesOn, isFree: (index) => isFree(run, plans[index], index) },
	);
	const jobs = () => jobsOf(outcomes, plans, run.earlier);
	if (isStopped()) throw canceledError(node, jobs());
	if (!goesOn) stopOnFailure(node, jobs());

	const rows = outcomes.map((outcome, index) => toOutputItem(outcome, input[index], index, node));
	// Retry On Fail takes an error in the first row for a failure, whoever put it there (seen on
	// n8n 2.40.3 and 1.123.81); then another try follows.
	const isLastTry = rows[0]?.json.error === undefined;
	if (isLastTry && outcomes.every((outcome) => 'value' in outcome)) run.earlier.clear();
	return [rows];
}

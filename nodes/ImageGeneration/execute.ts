import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { deliver, isFree, jobsOf } from './deliver';
import { checkAll } from './execution/checkAll';
import { outcomeOf, valueOf } from './execution/outcome';
import { notStarted, runCapped } from './execution/runCapped';
import { planItem } from './plan';
import { row } from './rows';
import { isToolCall, setUp } from './run';
import { canceled, stopError, stopOnBadInput, stopOnFailure } from './stop';

/** Checks all items, has their jobs done a few at a time, and returns them in order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const input = context.getInputData();
	// A model can act on what went wrong: n8n 2.40.3 goes on unless told to stop, 1.123.81 stops.
	const toldToStop = node.onError === 'stopWorkflow';
	const goesOn = context.continueOnFail() || (isToolCall(context) && !toldToStop);

	const setup = await outcomeOf(setUp(context));
	if ('failure' in setup) {
		if (!goesOn) throw stopError(node, setup.failure, {});
		return [input.map((item, index) => row(setup, item, index, node))];
	}
	const run = setup.value;

	const isStopped = () => run.signal?.aborted === true;
	const plans = await checkAll(
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
		async (plan, index, ends) => await deliver(context, run, valueOf(plan), index, ends),
		{ ...run, stopOnFailure: !goesOn, isFree: (index) => isFree(run, plans[index], index) },
	);
	const jobs = () => jobsOf(outcomes, plans, run.earlier);
	if (isStopped()) throw canceled(node, jobs());
	if (!goesOn) stopOnFailure(node, jobs());

	const rows = outcomes.map((outcome, index) => row(outcome, input[index], index, node));
	// Retry On Fail takes an error in the first row for a failure, whoever put it there (seen on
	// n8n 2.40.3 and 1.123.81); then another try follows.
	const isLastTry = rows[0]?.json.error === undefined;
	if (isLastTry && outcomes.every((outcome) => 'value' in outcome)) run.earlier.clear();
	return [rows];
}

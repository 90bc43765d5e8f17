import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { DAY, Limits } from '../buy/limits';
import { RateLimiters } from '../buy/rateLimiter';
import { BadInput } from '../failures/failures';
import { readFields } from '../fields/field';
import { runOptions, type RunOptions } from '../fields/options';
import type { Execution } from '../n8n/execution';
import { askN8n } from '../n8n/storedExecution';
import { DataTable } from '../recall/dataTable';
import { Judge } from '../recall/judge';
import { PurchaseLog } from '../recall/purchaseLog';
import { Purchases } from '../recall/purchases';
import { Recall, type Policy } from '../recall/recall';
import { identify } from '../recall/requestKey';
import { executionLog, type ExecutionLog } from '../report/executionLog';
import { CREDENTIAL, toService, type Service } from '../service/service';
import { onAbort } from '../wait';
import type { Attempt, StartedAttempt } from './attempt';
import { Callers } from './callers';
import type { N8nProcess } from './n8nProcess';

/**
 * Prepares an attempt of a run: reads the credential, the options that no item can change, and, for a limit of the day, the
 * Purchase Log.
 * @throws Failed if n8n is too old, if the credential or an option of the run is invalid, or if a log does not answer.
 */
export async function setUp(start: StartedAttempt): Promise<Attempt> {
	const { context, process, execution, state, run, memory, isTool } = start;
	// Otherwise an item would fail with a TypeError, possibly after others were bought. These are the newest
	// functions that the node uses; Node.js has the second one since 20.12.
	if (typeof context.getExecutionCancelSignal !== 'function' || typeof hash !== 'function') {
		throw new BadInput(
			'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
			'Nothing was sent. Update n8n.',
		);
	}
	const service = toService(await context.getCredentials(CREDENTIAL));
	// Read one by one, so that a broken expression in another option affects only its own item.
	const options = readFields(
		runOptions,
		(name, absent) => context.getNodeParameter(`options.${name}`, 0, null) ?? absent,
	);
	refuseLogWithoutExecution(execution, options);
	const ask = askN8n(context);
	// The same for all rounds of a loop.
	state.callers ??= new Callers(process, ask, execution);
	const { callers } = state;
	await callers.check();
	const signal = AbortSignal.any([execution.signal, callers.signal]);
	const log = executionLog(context, execution);
	const purchaseLog = logOf(context, process, options, log);
	const policy = options.reuse ?? policyFor(execution, isTool);
	const purchases = new Purchases(
		process,
		run,
		buyerOf(start, service),
		policy === 'always',
		memory,
		purchaseLog,
		log.missing,
	);
	const { maxImages, maxImagesPerDay } = options;
	const since = process.timeOfDay() - DAY;
	const isCounted = maxImagesPerDay < Infinity && purchaseLog !== undefined;
	const limits = new Limits({
		process,
		run,
		context: execution.context,
		maxImages,
		maxImagesPerDay,
		logged: isCounted ? await purchaseLog.ofNode(run.node, since) : [],
		isTool,
	});
	state.earlierRounds.read(context);
	process.journal.begin(run);
	stopWith(start, signal, purchases, limits);
	state.rates = process.rates.join(service.account, state.rates);
	return {
		...start,
		options,
		service,
		signal,
		callers,
		log,
		purchaseLog,
		purchases,
		limits,
		limiters: new RateLimiters(state.rates, log.hold),
		concurrency: options.concurrency,
		recall: new Recall({
			process,
			policy,
			purchases,
			purchaseLog,
			judge: new Judge(process, ask),
			returnedLinks: state.earlierRounds.links,
			signal,
		}),
	};
}

/** The policy without the option Reuse Images. An agent repeats a request because it wants another image, also in the editor. */
function policyFor({ isManual }: Execution, isTool: boolean): Policy {
	if (isTool) return 'agent';
	return isManual ? 'editor' : 'next run';
}

/**
 * n8n's Agents and MCP clients run each call of a tool by itself, without a project for a data table (2.41.1).
 * @throws BadInput in words that a model can pass on
 */
function refuseLogWithoutExecution({ id }: Execution, { purchaseLog }: RunOptions): void {
	if (id !== '' || purchaseLog === '') return;
	throw new BadInput(
		"'Purchase Log' can't be used by an agent here, because n8n runs each call without a workflow.",
		"Nothing was sent. Remove the option 'Purchase Log' from this tool, or use the tool in a workflow's agent.",
	);
}

/** Ends the run at once when it is stopped: what it has goes back, and nothing that comes in later is its own. */
function stopWith(
	{ run }: StartedAttempt,
	signal: AbortSignal,
	purchases: Purchases,
	limits: Limits,
): void {
	run.stopListening();
	run.stopListening = onAbort(signal, () => {
		limits.giveBack(run.planned);
		purchases.stop();
	});
	run.endUndelivered = () => purchases.end();
}

function buyerOf({ execution, node }: StartedAttempt, { account, baseUrl }: Service) {
	const { operation } = node.parameters as { operation: string };
	const credential = node.credentials?.[CREDENTIAL]?.id ?? undefined;
	// Who edits the key in a credential, or makes another credential with the same key, is the same customer.
	const other = credential === undefined ? [] : [identify(baseUrl.endpoint(''), credential)];
	return {
		accounts: [account, ...other],
		isManual: execution.isManual,
		operation,
		workflow: execution.workflow.name,
	};
}

/** @returns the Purchase Log; undefined without the option */
function logOf(
	context: IExecuteFunctions,
	{ tableIds }: N8nProcess,
	{ purchaseLog: name, dryRun }: RunOptions,
	{ madeTable: onMade }: ExecutionLog,
): PurchaseLog | undefined {
	if (name === '') return undefined;
	return new PurchaseLog(new DataTable(context, tableIds, name, { isAllowed: !dryRun, onMade }));
}

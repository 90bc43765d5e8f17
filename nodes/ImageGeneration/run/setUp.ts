import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { DayLimit } from '../buy/dayLimit';
import { Limits } from '../buy/limits';
import { PurchaseLimit } from '../buy/purchaseLimit';
import { RateLimiters } from '../buy/rateLimiter';
import { BadInput, settle } from '../failures/failures';
import { readFields } from '../fields/field';
import { runOptions, type RunOptions } from '../fields/options';
import { fileNamesOfRuns, linksOfEarlierRounds } from '../n8n/earlierRuns';
import { askN8n } from '../n8n/storedExecution';
import type { RecallPolicy } from '../recall/choice';
import { ExecutionMemory } from '../recall/executionMemory';
import { DataTable } from '../recall/log/dataTable';
import { PurchaseLog } from '../recall/log/purchaseLog';
import { Purchases } from '../recall/purchases';
import type { Recording } from '../recall/recording';
import { executionLog, type ExecutionLog } from '../report/executionLog';
import { instructionOf } from '../service/sameRequest';
import { CREDENTIAL, toService, type Service } from '../service/service';
import { assertKeepable } from './assertKeepable';
import type { Attempt, StartedAttempt } from './attempt';
import { Callers } from './callers';
import type { N8nProcess } from './n8nProcess';

/**
 * Prepares an attempt of a run: reads the credential, and the options that no item can change.
 * @throws Failed if n8n is too old, or if the credential or an option of the run is invalid.
 */
export async function setUp(start: StartedAttempt): Promise<Attempt> {
	const { context, process, execution, state, run, isTool } = start;
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
	assertKeepable(execution, options);
	const ask = askN8n(context);
	const callers = await callersOf(start, ask);
	await callers.check();
	const signal = AbortSignal.any([execution.signal, callers.signal]);
	const log = executionLog(context, execution);
	const recording = recordingOf(start, service, options, callers.parent, log);
	const purchases = new Purchases(recording);
	process.journal.beginRun(run.name, {
		signal,
		checkCallers: async () => await callers.checkNow(),
	});
	run.purchases = purchases;
	state.purchases = purchases;
	state.namesInUse.learn((from) => fileNamesOfRuns(context, from));
	state.rates = process.rates.join(service.account, state.rates);
	return {
		...start,
		...options,
		added: new Set(Object.keys(start.node.parameters.options ?? {})),
		service,
		namesInUse: state.namesInUse,
		signal,
		callers,
		log,
		memory: new ExecutionMemory(state.jobs, start.runName, start.node.retryOnFail === true),
		purchases,
		used: process.usedIn(execution.id),
		ask,
		onWait: log.waits,
		limits: new Limits(
			new PurchaseLimit(execution.context, state.line, options.maxImages, isTool),
			new DayLimit(recording, options.maxImagesPerDay, isTool),
		),
		limiters: new RateLimiters(state.rates, log.hold),
		policy: policyOf(start, service, options.reuse),
		noteMade: (job, { output_url: link }, file) => {
			// A file that comes back unchanged is no result that could go round.
			if (file !== undefined && job.request.file?.sha256 === file.sha256) return;
			const made = {
				instruction: instructionOf(job),
				execution: execution.id,
				caller: callers.parent,
				time: process.timeOfDay(),
				link,
			};
			process.made.add(recording.common.node, file === undefined ? made : { ...made, file });
		},
		toTell: [],
	};
}

/** The executions that wait for this one as their sub-workflow: the same for all rounds of a loop. */
async function callersOf(
	{ process, execution, state }: StartedAttempt,
	ask: Attempt['ask'],
): Promise<Callers> {
	if (state.callers !== undefined) return state.callers;
	const { isSubWorkflow, id, parentId } = execution;
	const own = isSubWorkflow && id !== '' ? await settle(ask(id)) : undefined;
	// Nothing is stopped because n8n's database is away.
	if (own === undefined || 'failure' in own) return new Callers(process, ask, '');
	// Its own data says whether the caller waits (2.41.1).
	state.callers = new Callers(process, ask, own.value?.parent ?? parentId);
	return state.callers;
}

function recordingOf(
	{ context, process, execution, run, node }: StartedAttempt,
	service: Service,
	{ purchaseLog, dryRun }: Pick<RunOptions, 'purchaseLog' | 'dryRun'>,
	parent: string,
	log: ExecutionLog,
): Recording {
	const { workflow, id } = execution;
	const { operation } = node.parameters as { operation: string };
	const open = () => openLog(context, process, purchaseLog, log, !dryRun);
	return {
		process,
		log: purchaseLog === '' ? undefined : open(),
		run: run.name,
		common: {
			accounts: accountsOf(service, node.credentials?.[CREDENTIAL]?.id ?? undefined),
			// Not with the key: it may change. Another service is another matter. In n8n's Agents each call comes from a node of
			// its own (2.41.1): together they are one, so that they don't crowd out others.
			node: identify(service.baseUrl.endpoint(''), workflow.id, id === '' ? '' : node.id),
			execution: id,
			parent,
		},
		operation,
		workflow: workflow.name,
		onMissing: log.missing,
	};
}

/** Who edits the key in a credential, or makes another credential with the same key, is the same customer. */
function accountsOf(service: Service, credential: string | undefined): string[] {
	if (credential === undefined) return [service.account];
	return [service.account, identify(service.baseUrl.endpoint(''), credential)];
}

function identify(...parts: readonly string[]): string {
	return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** @param name The name or id of its table. */
function openLog(
	context: IExecuteFunctions,
	process: N8nProcess,
	name: string,
	{ madeTable: onMade }: ExecutionLog,
	mayMakeTable: boolean,
): PurchaseLog {
	const making = { isAllowed: mayMakeTable, onMade };
	const table = new DataTable(context, process.tables, name, making);
	return new PurchaseLog(table, process.pendingWritesOf(table.key), process);
}

function policyOf(
	{ context, execution }: StartedAttempt,
	service: Service,
	reuse: RunOptions['reuse'],
): RecallPolicy {
	return {
		reuse: reuse ?? (execution.isManual ? 'editor' : 'never'),
		returned: execution.isRetry ? linksOfEarlierRounds(context) : new Set(),
		linkOrigin: service.baseUrl.origin,
		allowsOtherHosts: service.allowsOtherHosts,
	};
}

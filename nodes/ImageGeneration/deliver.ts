import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { download } from './api/download';
import { jobLine, messageFor } from './api/messages';
import { submit } from './api/submit';
import { mayBePaid, retryAfter, verdictOn, type Verdict } from './api/verdict';
import type { EarlierTries } from './execution/earlierTries';
import { outcomeOf, valueOf, type Outcome } from './execution/outcome';
import { NotStarted } from './execution/runCapped';
import { withRetries, type RetryRules } from './execution/withRetries';
import { jobIn, referenceTo } from './failures';
import type { Plan } from './plan';
import type { Run } from './run';
import type { JobResult } from './types';

/** What an item came to. */
export interface Delivery {
	job: JobResult;
	/** The image, where it was to be fetched. */
	image: IBinaryData | undefined;
	plan: Plan;
}

/**
 * Has an item's job done, unless an earlier try already paid for it, and fetches its image.
 * @param ends Tell that the run ends: what is not charged yet is not tried again.
 * @throws what an earlier try came to, if the item may have been charged then.
 */
export async function deliver(
	context: IExecuteFunctions,
	run: Run,
	plan: Plan,
	index: number,
	ends: readonly AbortSignal[],
): Promise<Delivery> {
	const job = valueOf(
		run.earlier.find(index, plan.request) ?? (await newJob(context, run, plan, index, ends)),
	);
	return { job, image: await imageOf(context, run, plan, index, job), plan };
}

/** Whether an item makes no call, as it can't be sent or an earlier try has settled it. */
export function isFree(
	{ earlier }: { earlier: Pick<EarlierTries, 'find'> },
	plan: Outcome<Pick<Plan, 'request'>> | undefined,
	index: number,
): boolean {
	if (plan === undefined || 'failure' in plan) return true;
	return earlier.find(index, plan.value.request) !== undefined;
}

/** The job of each item; one that was not started now may have its job from an earlier try. */
export function jobsOf(
	outcomes: Array<Outcome<Pick<Delivery, 'job'>>>,
	plans: Array<Outcome<Pick<Plan, 'request'>>>,
	earlier: Pick<EarlierTries, 'find'>,
): Array<Outcome<JobResult>> {
	return outcomes.map((outcome, index) => {
		if ('value' in outcome) return { value: outcome.value.job };
		const plan = plans[index];
		const isUnstarted = outcome.failure instanceof NotStarted && plan !== undefined;
		const known = isUnstarted && 'value' in plan && earlier.find(index, plan.value.request);
		return known || outcome;
	});
}

async function newJob(
	context: IExecuteFunctions,
	run: Run,
	plan: Plan,
	index: number,
	ends: readonly AbortSignal[],
): Promise<Outcome<JobResult>> {
	const outcome = await outcomeOf(paidJob(context, run, plan, index, ends));
	// All that is left of a paid image where the process is killed before the node is done.
	const job = 'value' in outcome ? referenceTo(outcome.value) : jobIn(outcome.failure);
	const paid = jobLine(job);
	if (paid !== '') note(context, index, `is paid for: ${paid}`);
	if ('value' in outcome || isKept(outcome.failure, plan)) {
		run.earlier.add(index, plan.request, outcome);
	}
	return outcome;
}

/** Whether a failure ends the item for all tries, as the next one could pay for it again. */
function isKept(failure: unknown, { options }: Plan): boolean {
	if (verdictOn(failure) === 'unclear') return !options.retryUnclearOutcome;
	return mayBePaid(failure);
}

async function paidJob(
	context: IExecuteFunctions,
	run: Run,
	{ request: { model, fields }, file, options }: Plan,
	index: number,
	ends: readonly AbortSignal[],
): Promise<JobResult> {
	const request = { model, fields, ...(file !== undefined && { file }) };
	return await withRetries(
		async () => await submit(context, run.service, request, options.timeout),
		retryRules(context, index, {
			maxRetries: options.maxRetries,
			allowed: options.retryUnclearOutcome ? ['retry', 'unclear'] : ['retry'],
			ends,
		}),
	);
}

async function imageOf(
	context: IExecuteFunctions,
	run: Run,
	{ outputField, name, options }: Plan,
	index: number,
	job: JobResult,
): Promise<IBinaryData | undefined> {
	if (outputField === undefined) return undefined;
	const rules = { ...options, fileName: name ?? run.uniqueName(generatedName(job)) };
	return await withRetries(
		async () => await download(context, run.service, job, rules),
		// To the end even if the run ends on a failure, as this image is paid for.
		retryRules(context, index, {
			maxRetries: options.maxRetries,
			allowed: ['retry'],
			ends: run.signal === undefined ? [] : [run.signal],
		}),
	);
}

function generatedName(job: JobResult): string {
	const { id = 'image' } = referenceTo(job);
	return `generated-${id.slice(0, 8)}`;
}

function retryRules(
	context: IExecuteFunctions,
	index: number,
	{ allowed, ...rules }: Pick<RetryRules, 'maxRetries' | 'ends'> & { allowed: Verdict[] },
): RetryRules {
	return {
		...rules,
		mayRetry: (failure) => allowed.includes(verdictOn(failure)),
		askedWait: (failure) => retryAfter(failure, Date.now()),
		onWait: (ms, failure) => {
			const { title } = messageFor(failure);
			note(context, index, `is tried again in ${Math.ceil(ms / 1000)} s (${title})`);
		},
	};
}

/** One line in n8n's log, whatever the service said. */
function note(context: IExecuteFunctions, index: number, what: string): void {
	const line = `${context.getNode().name}: item ${index} ${what}`;
	context.logger.info(line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
}

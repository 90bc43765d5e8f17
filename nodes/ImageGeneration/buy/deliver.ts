import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { referenceTo } from '../failures/failures';
import { settle, unwrap, type Outcome } from '../failures/outcome';
import type { Plan } from '../plan/planItem';
import type { Run } from '../run';
import { download } from '../service/download';
import { submit } from '../service/submit';
import type { JobResult } from '../types';
import type { Ledger } from './ledger';
import { mayBeCharged, retryAfter, retryDecision, type RetryDecision } from './retryDecision';
import { NotStarted } from './runCapped';
import { withRetries, type RetryRules } from './withRetries';

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
	const job = unwrap(
		run.earlier.find(index, plan.request) ?? (await newJob(context, run, plan, index, ends)),
	);
	return { job, image: await imageOf(context, run, plan, index, job), plan };
}

/** Whether an item makes no call, as it can't be sent or an earlier try has settled it. */
export function isFree(
	{ earlier }: { earlier: Pick<Ledger, 'find'> },
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
	earlier: Pick<Ledger, 'find'>,
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
	const outcome = await settle(paidJob(context, run, plan, index, ends));
	// If n8n is killed now, this log line is the only record of the purchase.
	run.log.purchase(index, outcome);
	if ('value' in outcome || isKept(outcome.failure, plan)) {
		run.earlier.add(index, plan.request, outcome);
	}
	return outcome;
}

/** Whether a failure ends the item for all tries, as the next one could pay for it again. */
function isKept(failure: unknown, { options }: Plan): boolean {
	if (retryDecision(failure) === 'unclear') return !options.retryUnclearOutcome;
	return mayBeCharged(failure);
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
		async () => (await submit(context, run.service, request, options.timeout)).job,
		retryRules(run, index, {
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
		retryRules(run, index, {
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
	{ log }: Run,
	index: number,
	{ allowed, ...rules }: Pick<RetryRules, 'maxRetries' | 'ends'> & { allowed: RetryDecision[] },
): RetryRules {
	return {
		...rules,
		mayRetry: (failure) => allowed.includes(retryDecision(failure)),
		askedWait: (failure) => retryAfter(failure, Date.now()),
		onWait: (ms, failure) => {
			log.retry(index, ms, failure);
		},
	};
}

import type { LimitReached } from '../failures/failures';
import type { Attempt } from './attempt';

/** Planning so many takes no time that anybody feels. */
const FEW_ITEMS = 100;

/**
 * Why a run that stops at a limit can't buy what its items need at least, before any file is opened: planning thousands
 * takes minutes. Counts every image that may be there, so it refuses only what can't fit.
 * @throws if a Purchase Log does not answer
 */
export async function refusalByItems(attempt: Attempt): Promise<LimitReached | undefined> {
	const { context, node, limits, memory, purchases, policy, signal } = attempt;
	const { stopsOnFail, isTool, dryRun } = attempt;
	const { operation } = node.parameters;
	const items = context.getInputData().length;
	const buysEach = operation === 'generate' || operation === 'edit';
	if (!limits.isSet || !stopsOnFail || items <= FEW_ITEMS || !buysEach) return undefined;
	if (isTool || dryRun || policy.reuse !== 'never' || !memory.isEmpty()) return undefined;
	const needed = items - (await purchases.offers.countMost(items));
	return await limits.refusal(needed, signal);
}

import type { LimitReached } from '../failures/failures';
import type { Attempt } from './attempt';

/** Planning so many takes no time that anybody feels. */
const FEW_ITEMS = 100;

/**
 * Why a run that stops at a limit can't buy what its items need at least, before any file is opened: planning thousands
 * takes minutes. Whether images are there already, or pictures are equal, is left to recall.
 * @throws if a Purchase Log does not answer
 */
export async function refusalByItems(run: Attempt): Promise<LimitReached | undefined> {
	const { context, node, limits, memory, purchases, policy } = run;
	const { operation } = node.parameters;
	const items = context.getInputData().length;
	const buysEach = operation === 'generate' || operation === 'edit';
	if (!limits.isSet || !run.stopsOnFail || items <= FEW_ITEMS || !buysEach) return undefined;
	if (run.isTool || run.dryRun || policy.reuse !== 'never' || !memory.isEmpty()) return undefined;
	const needed = items - (await purchases.offers.countMost(items));
	return await limits.refusal(needed, run.signal);
}

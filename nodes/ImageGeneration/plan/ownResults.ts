import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { fileOf, instructionOf } from '../service/sameRequest';
import type { Job, PlannedJob } from '../types';
import { quote } from '../values/text';
import type { MadeImage, MadeImages } from './madeImages';

/** The run that gets images. */
interface Receiving {
	process: { made: MadeImages; timeOfDay(): number };
	execution: { id: string; isRetry: boolean };
	purchases: { recording: { common: { node: string; execution: string; parent: string } } };
}

/**
 * Refuses what this node has made itself and gets again with the same instruction in another execution: the workflow saves
 * its results where its own trigger looks. Only files of equal size are read for it.
 */
export async function refuseOwnResults(
	attempt: Receiving,
	jobs: readonly PlannedJob[],
): Promise<PlannedJob[]> {
	const made = madeElsewhere(attempt);
	const checked: PlannedJob[] = [];
	for (const job of jobs) {
		const own = 'problem' in job ? undefined : await ownResult(job, made);
		checked.push(own === undefined || 'problem' in job ? job : refused(job, own));
	}
	return checked;
}

/** What the node has made in other executions. Retry may go on in the middle of a loop, with what its rounds made. */
function madeElsewhere({ process, purchases, execution }: Receiving): MadeImage[] {
	if (execution.id === '' || execution.isRetry) return [];
	const { node, parent } = purchases.recording.common;
	const made = process.made.of(node, process.timeOfDay());
	// What calls a sub-workflow may do so again with what it got.
	return made.filter((each) => ![execution.id, parent].includes(each.caller || each.execution));
}

async function ownResult(job: Job, made: readonly MadeImage[]): Promise<MadeImage | undefined> {
	const instruction = instructionOf(job);
	const alike = made.filter((each) => each.instruction === instruction);
	const { file, textParts } = job.request;
	if (file === undefined) return alike.find(({ link }) => link === textParts.image);
	const sameSize = alike.filter((each) => each.file?.size === file.size);
	if (sameSize.length === 0) return undefined;
	const sha256 = await fileOf(job);
	return sameSize.find((each) => each.file?.sha256 === sha256);
}

function refused({ request, ...place }: Job, { execution }: MadeImage): PlannedJob {
	const { file, textParts } = request;
	const what =
		file === undefined
			? `'${ADDRESS_FIELD}' is ${quote(textParts.image)}, the link of an image`
			: `The file ${quote(file.name)} is an image`;
	const how = textParts.text === undefined ? '' : ' with the same instruction';
	const problem = new BadInput(
		`${what} that this node made itself${how}, in execution ${execution}.`,
		'The workflow seems to save its results in the place that its own trigger watches, so it would never end. Save them in another place, or filter out these files before this node. If you do want to work on this image again, use another Image Generation node.',
	).failure;
	const { itemIndex, label, includesInput, source, copy } = place;
	const refusedJob: PlannedJob = { itemIndex, label, includesInput, source, problem };
	return copy === undefined ? refusedJob : { ...refusedJob, copy };
}

import fc from 'fast-check';

import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import type { PlannedRow } from '../../nodes/ImageGeneration/plan/planItem';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';
import type { InvalidRow, JobRequest } from '../../nodes/ImageGeneration/types';
import { tools } from '../../sandbox/tools';
import { settle } from '../../sandbox/tools/parameters';
import { fuzz, SEED, type ValueOf } from '../support/fuzz';
import { randomItem } from '../support/parameters';
import { planningRun } from '../support/planningRun';

type Planned = PlannedRow | InvalidRow;

/** Plans an item's rows. */
async function rowsOf({ files, ...values }: ValueOf<typeof randomItem>): Promise<Planned[]> {
	const run = planningRun({
		items: [{ json: {}, binary: files }],
		parameters: { ...values, download: true },
	});
	return await planAll(run, new AbortController().signal);
}

const isValid = (planned: Planned): planned is PlannedRow => !('problem' in planned);

/** What is wrong with a row's request, or with the message of a row without one. */
function faultsOf(planned: Planned): string[] {
	if (isValid(planned)) return faultsIn(planned.asks.request);
	const { title } = messageFor(planned.problem);
	if (!['bad input', 'not an image'].includes(planned.problem.kind))
		return [`unexpected: ${title}`];
	return /^['A-Z][^]+\.$/.test(title) ? [] : [`no sentence: ${title}`];
}

/** What the sandbox, which implements the specification, refuses or does not use. */
function faultsIn({ model, textParts, file }: JobRequest): string[] {
	const parameters = tools.find(({ id }) => id === model)?.parameters ?? [];
	// A file takes the place of an address.
	const sent = { ...textParts, ...(file && { image: 'https://example.com/file' }) };
	try {
		const used = settle(parameters, { fields: sent, problems: new Map() });
		return Object.keys(sent).filter((name) => !(name in used));
	} catch (error) {
		return [`refused by the sandbox: ${String(error)}`];
	}
}

describe(`ten thousand random items (seed ${SEED})`, () => {
	it('give requests that the specification and the sandbox allow, or clear messages', async () => {
		let allowed = 0;
		let several = 0;
		await fc.assert(
			fc.asyncProperty(randomItem, async (item) => {
				const rows = await rowsOf(item);
				const sane = rows.filter(isValid);
				allowed += sane.length;
				if (sane.length > 1) several++;

				expect(rows.length).toBeGreaterThan(0);
				expect(rows.flatMap(faultsOf)).toStrictEqual([]);
				const numbered = sane.filter(({ row }) => !row.fileName.isMarked);
				const names = numbered.map(({ row }) => row.fileName.stem.toLowerCase());
				expect(new Set(names).size).toBe(names.length);
			}),
			fuzz(10_000),
		);

		// Both kinds of item occurred.
		expect(allowed).toBeGreaterThan(0);
		expect(several).toBeGreaterThan(0);
	});
});

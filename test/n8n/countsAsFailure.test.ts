import type { IDataObject, INode } from 'n8n-workflow';

import { toOutputItems } from '../../nodes/ImageGeneration/report/outputItems';
import { countsAsFailure } from '../../nodes/ImageGeneration/run/endAttempt';
import { jobWith, outcomeOf, resultOf, rowWith } from '../support/jobs';

/** The output of one delivered image that includes the fields of its input. */
function outputWith(json: IDataObject) {
	const job = jobWith({ rows: [rowWith({ includesInput: true })] });
	const outcome = outcomeOf(job, { value: { result: resultOf('owl') } });
	return toOutputItems({ type: 'imageGeneration' } as INode, [{ json }], [outcome]);
}

it.each([undefined, null, false])(
	'an image whose input has the error %p is no failure to any n8n, and has the other fields',
	(error) => {
		const items = outputWith({ sku: 1, error });

		expect(items[0]?.json.sku).toBe(1);
		// n8n 1.123.81 compares with undefined only.
		expect(items[0]?.json.error).toBeUndefined();
		expect(countsAsFailure(items)).toBe(false);
	},
);

it.each(['No', '', 0, true, {}])(
	'an image whose input has the error %p keeps it, which is a failure to n8n',
	(error) => {
		const items = outputWith({ error });

		expect(items[0]?.json.error).toStrictEqual(error);
		expect(countsAsFailure(items)).toBe(true);
	},
);

it('output without items, or with an error in a later one, is no failure', () => {
	expect(countsAsFailure([])).toBe(false);
	expect(countsAsFailure([{ json: {} }, { json: { error: 'No' } }])).toBe(false);
});

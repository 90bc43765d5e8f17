import { isFree } from '../../nodes/ImageGeneration/deliver';
import type { Outcome } from '../../nodes/ImageGeneration/execution/outcome';
import type { Plan } from '../../nodes/ImageGeneration/plan';
import type { Run } from '../../nodes/ImageGeneration/run';

const REQUEST = { model: 'text2img', fields: { text: 'A fox' } };

/** Of the run and the plan, as much as the question needs. */
const known = (settled: number[]) =>
	({
		earlier: {
			find: (index: number, request: unknown) =>
				settled.includes(index) && request === REQUEST ? { value: {} } : undefined,
		},
	}) as unknown as Run;
const plan = { value: { request: REQUEST } } as unknown as Outcome<Plan>;

describe('an item without the Request Interval in front of it', () => {
	it('is one that can’t be sent, or was never there', () => {
		expect(isFree(known([]), { failure: 'No prompt' }, 0)).toBe(true);
		expect(isFree(known([]), undefined, 0)).toBe(true);
	});

	it('is one that an earlier try has settled, and no other', () => {
		expect(isFree(known([1]), plan, 1)).toBe(true);
		expect(isFree(known([1]), plan, 0)).toBe(false);
	});
});

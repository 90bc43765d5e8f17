import type { IExecuteFunctions } from 'n8n-workflow';

import { includesInput, planItem } from '../../nodes/ImageGeneration/plan/planItem';
import { planningRun } from '../support/planningRun';

const EDIT = { operation: 'edit', prompt: 'Blur it', version: 'standard', download: true };

/** Plans one item, whose parameters come from expressions. */
const plan = async (parameters: Record<string, unknown>) =>
	await planItem(planningRun({ parameters: () => ({ ...EDIT, ...parameters }) }), 0);

describe('the jobs of an item', () => {
	const urls = (...addresses: string[]) => ({
		inputType: 'url',
		imageUrl: addresses.length > 1 ? addresses : addresses.join(),
	});

	it('have the address of each image as their source, shortened to 200 characters', async () => {
		const long = `https://example.com/${'a'.repeat(180)}`;
		const { jobs } = await plan(urls(long, `${long}b`));

		expect(jobs.map(({ source }) => source)).toEqual([long, `${long.slice(0, 199)}…`]);
	});

	it('are one per image if the operation has no copies, whatever another operation was set to', async () => {
		const options = { numberOfImages: 3 };
		const { jobs } = await plan({ ...urls('http://a'), operation: 'removeBackground', options });

		expect(jobs).toHaveLength(1);
		expect(jobs[0]).not.toHaveProperty('copy');
	});

	it('are one invalid job if the item can’t be read', async () => {
		const options = { includeInputFields: true };
		const { jobs, skipped } = await plan({ inputType: 'nowhere', options });

		expect(jobs).toEqual([
			{
				...{ itemIndex: 0, label: '', includesInput: true },
				problem: expect.objectContaining({
					message: `'Image Source' is "nowhere". Allowed: binary, all, url.`,
				}) as unknown,
			},
		]);
		expect(skipped).toEqual([]);
	});
});

it.each<[what: string, getNodeParameter: () => unknown, includes: boolean]>([
	['on by an expression', () => 'true', true],
	['invalid', () => 'maybe', false],
	[
		'a broken expression',
		() => {
			throw new Error('The expression could not be evaluated');
		},
		false,
	],
])('Include Input Fields is read even if the item is invalid: %s', (_what, read, includes) => {
	const context = { getNodeParameter: read } as unknown as IExecuteFunctions;

	expect(includesInput({ context, isTool: false }, 0)).toBe(includes);
	expect(includesInput({ context, isTool: true }, 0)).toBe(false);
});

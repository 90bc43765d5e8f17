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

	const keysOf = async (...addresses: string[]) =>
		(await plan(urls(...addresses))).jobs.map((job) => ('keys' in job ? job.keys : []));

	it('are known by their whole address, and by its path if no other address has it', async () => {
		const [[whole, path] = []] = await keysOf('https://example.com/a.jpg?signature=1');

		expect(await keysOf('https://example.com/a.jpg?signature=2#top')).toEqual([
			[expect.not.stringMatching(`^${whole}$`), path],
		]);
		const [first] = await keysOf('https://example.com/a.jpg?signature=1', 'https://example.com/b');
		expect(first).toEqual([whole, path]);
	});

	it('are known only by their whole address if several have the same path', async () => {
		const address = (id: number) => `https://example.com/?id=${id}`;
		const [[first] = [], [second] = []] = await keysOf(address(1), address(2));

		expect(first).not.toBe(second);
		expect(await keysOf(address(2), address(1), address(3))).toEqual([
			[second],
			[first],
			[expect.any(String)],
		]);
		expect(await keysOf(address(2))).toEqual([[second, expect.any(String)]]);
	});

	it.each<[what: string, parameters: Record<string, unknown>, sources: unknown[]]>([
		['one address', urls('https://example.com/a.jpg'), [undefined]],
		['an invalid name', { inputType: 'binary', binaryPropertyName: 'photo' }, [undefined]],
		['an invalid address', urls('example.com/a.jpg'), [undefined]],
		['invalid names', { inputType: 'binary', binaryPropertyName: 'photo,back' }, ['photo', 'back']],
		[
			'an invalid address in a list',
			urls('example.com', 'https://example.com'),
			['example.com', 'https://example.com'],
		],
	])('have a source only in a list: %s', async (_what, parameters, sources) => {
		const { jobs } = await plan(parameters);

		expect(jobs.map(({ source }) => source)).toEqual(sources);
		expect(jobs.filter((job) => 'source' in job)).toHaveLength(jobs.length > 1 ? jobs.length : 0);
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

describe('Include Input Fields', () => {
	const broken = () => {
		throw new Error('The expression could not be evaluated');
	};

	type ReadOption = (name: string, itemIndex: number, fallback: unknown) => unknown;

	it.each<[what: string, read: ReadOption, includes: boolean]>([
		['not set', (_name, _itemIndex, fallback) => fallback, false],
		['on by an expression', () => 'true', true],
		['invalid', () => 'maybe', false],
		['a broken expression', broken, false],
	])('is read even if the item is invalid: %s', (_what, getNodeParameter, includes) => {
		const context = { getNodeParameter } as unknown as IExecuteFunctions;

		expect(includesInput({ context, isTool: false }, 0)).toBe(includes);
		expect(includesInput({ context, isTool: true }, 0)).toBe(false);
	});
});

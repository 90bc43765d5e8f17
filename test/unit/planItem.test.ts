import type { IExecuteFunctions } from 'n8n-workflow';

import { includesInput, planItem } from '../../nodes/ImageGeneration/plan/planItem';
import { planningRun } from '../support/planningRun';

const EDIT = { operation: 'edit', prompt: 'Blur it', version: 'standard', download: true };

/** Plans one item, whose parameters come from expressions. */
const plan = async (parameters: Record<string, unknown>, isTool = false) =>
	await planItem(planningRun({ parameters: () => ({ ...EDIT, ...parameters }), isTool }), 0);

describe('the jobs of an item', () => {
	const urls = (...imageUrl: string[]) => ({ inputType: 'url', imageUrl });

	it('have the address of each image as their source, shortened to 200 characters', async () => {
		const long = `https://example.com/${'a'.repeat(180)}`;
		const tooLong = `${long}b`;
		const { jobs, skipped } = await plan(urls(long, tooLong));

		expect(skipped).toEqual([]);
		expect(jobs.map(({ source }) => source)).toEqual([long, `${long.slice(0, 199)}…`]);
	});

	const keysOf = async (...addresses: string[]) =>
		(await plan(urls(...addresses))).jobs.map((job) => ('keys' in job ? job.keys : []));

	it('are known by their whole address, and by its path if no other address has it', async () => {
		const [[whole, path] = []] = await keysOf('https://example.com/a.jpg?signature=1');

		expect(await keysOf('https://example.com/a.jpg?signature=2#top')).toEqual([
			[expect.not.stringMatching(`^${whole}$`), path],
		]);
		expect(
			await keysOf('https://example.com/a.jpg?signature=1', 'https://example.com/b.jpg'),
		).toEqual([
			[whole, path],
			[expect.any(String), expect.any(String)],
		]);
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

	it('are one per copy, each with its number and a key of its own', async () => {
		const { jobs } = await plan({
			...urls('https://example.com/a.jpg'),
			options: { numberOfImages: 3 },
		});

		expect(jobs.map(({ copy }) => copy)).toEqual([1, 2, 3]);
		expect(new Set(jobs.map((job) => 'keys' in job && job.keys.join(' '))).size).toBe(3);
	});

	it('are one per image if the operation has no copies, whatever another operation was set to', async () => {
		const { jobs } = await plan({
			...urls('https://example.com/a.jpg'),
			operation: 'removeBackground',
			options: { numberOfImages: 3 },
		});

		expect(jobs).toHaveLength(1);
		expect(jobs[0]).not.toHaveProperty('copy');
	});

	it('have no source and no number if there is only one', async () => {
		const { jobs } = await plan({ inputType: 'url', imageUrl: 'https://example.com/a.jpg' });

		expect(jobs).toHaveLength(1);
		expect(jobs[0]).not.toHaveProperty('source');
		expect(jobs[0]).not.toHaveProperty('copy');
	});

	it.each<[what: string, parameters: Record<string, unknown>]>([
		['file', { inputType: 'binary', binaryPropertyName: 'photo' }],
		['address', { inputType: 'url', imageUrl: 'example.com/a.jpg' }],
	])('have no source if the only %s is invalid', async (_what, parameters) => {
		const { jobs } = await plan(parameters);

		expect(jobs).toEqual([expect.objectContaining({ label: '', includesInput: false })]);
		expect(jobs[0]).toHaveProperty('problem');
		expect(jobs[0]).not.toHaveProperty('source');
	});

	it.each<[what: string, parameters: Record<string, unknown>, sources: string[]]>([
		['name', { inputType: 'binary', binaryPropertyName: 'photo,back' }, ['photo', 'back']],
		[
			'address',
			{ inputType: 'url', imageUrl: ['example.com', 'https://example.com'] },
			['example.com', 'https://example.com'],
		],
	])('have a source if an entry of a list is invalid: %s', async (_what, parameters, sources) => {
		const { jobs } = await plan(parameters);

		expect(jobs.map(({ source }) => source)).toEqual(sources);
		expect(jobs[0]).toHaveProperty('problem');
	});

	it('are one invalid job if the item can’t be read', async () => {
		const { jobs, skipped } = await plan({
			inputType: 'nowhere',
			options: { includeInputFields: true },
		});

		expect(jobs).toEqual([
			expect.objectContaining({ itemIndex: 0, label: '', includesInput: true }),
		]);
		expect(skipped).toEqual([]);
		expect(jobs[0]).toHaveProperty('problem.message', expect.stringContaining("'Image Source'"));
	});

	it('download nothing and include no input for an agent’s tool', async () => {
		const address = { inputType: 'url', imageUrl: 'https://example.com/a.jpg' };
		const options = { includeInputFields: true };
		const [ofNode] = (await plan({ ...address, options })).jobs;
		const [ofTool] = (await plan({ ...address, options }, true)).jobs;

		expect(ofNode).toMatchObject({ outputField: 'data', includesInput: true });
		expect(ofTool).toMatchObject({ outputField: undefined, includesInput: false });
	});
});

describe('Include Input Fields', () => {
	const contextWith = (getNodeParameter: ReadOption) =>
		({ getNodeParameter }) as unknown as IExecuteFunctions;
	const broken = () => {
		throw new Error('The expression could not be evaluated');
	};

	type ReadOption = (name: string, itemIndex: number, fallback: unknown) => unknown;

	it.each<[what: string, read: ReadOption, includes: boolean]>([
		['not set', (_name, _itemIndex, fallback) => fallback, false],
		['on', () => true, true],
		['off', () => false, false],
		['on by an expression', () => 'true', true],
		['invalid', () => 'maybe', false],
		['a broken expression', broken, false],
	])('is read even if the item is invalid: %s', (_what, read, includes) => {
		const context = contextWith(read);

		expect(includesInput({ context, isTool: false }, 0)).toBe(includes);
		expect(includesInput({ context, isTool: true }, 0)).toBe(false);
	});
});

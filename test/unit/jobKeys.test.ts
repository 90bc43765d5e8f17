import { NodeHelpers, type IBinaryData, type INodeParameters } from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import { PIXEL } from '../support/images';
import { planningRun } from '../support/planningRun';

const DATA = PIXEL.toString('base64');
const WRITTEN: INodeParameters = {
	operation: 'edit',
	prompt: '={{ $json.title }} at {{ $now }}',
	version: 'standard',
	size: 'square',
	inputType: 'binary',
	binaryPropertyName: 'data',
	download: true,
};

/** The keys of an item's jobs; everything omitted is the same for all. */
async function jobsKeys({
	/** The parameters as written. */
	written = {} as INodeParameters,
	/** What their expressions return. */
	evaluated = {},
	runName = '0',
	isTool = false,
	itemIndex = 0,
	file = {} as Partial<IBinaryData>,
} = {}): Promise<string[][]> {
	const parameters = { ...WRITTEN, ...written };
	const data = { data: DATA, mimeType: 'image/gif', ...file };
	const items = Array.from({ length: 2 }, () => ({ json: {}, binary: { data } }));
	const read = async () => PIXEL;
	const { node } = planningRun({ parameters });
	const run = planningRun({ items, parameters: { ...parameters, ...evaluated }, isTool, read });
	const jobs = await planAll({ ...run, node, runName });
	return jobs.flatMap((job) => ('keys' in job && job.itemIndex === itemIndex ? [job.keys] : []));
}
type KeyInput = Parameters<typeof jobsKeys>[0];
const keyOf = async (input?: KeyInput) => (await jobsKeys(input))[0]?.join();

describe('a job’s key', () => {
	it.each<[what: string, input: KeyInput]>([
		['run', { runName: '1' }],
		['item', { itemIndex: 1 }],
		['operation', { written: { operation: 'removeBackground' } }],
		['image', { file: { data: Buffer.concat([PIXEL, PIXEL]).toString('base64') } }],
		['stored image', { file: { id: 'database:1' } }],
		['prompt as it is written', { written: { prompt: 'Blur it' } }],
		['quality', { written: { version: 'genius' } }],
		['additional field', { written: { options: { additionalFields: { field: [] } } } }],
	])('differs for another %s', async (_what, input) => {
		expect(await keyOf(input)).toMatch(/^\d\.[\w-]{16}$/);
		expect(await keyOf(input)).not.toBe(await keyOf());
	});

	it.each<[what: string, input: KeyInput]>([
		['an expression in the prompt returns another text', { evaluated: { prompt: 'At midnight' } }],
		['the images are chosen another way', { written: { inputType: 'all' } }],
		['the field’s name is written differently', { written: { binaryPropertyName: ' data ' } }],
		['the file has another name', { file: { fileName: 'other.gif' } }],
		['more copies are wanted', { written: { options: { numberOfImages: 3 } } }],
		['the timeout is raised', { written: { options: { timeout: 3600 } } }],
		['the output has another field', { written: { options: { outputPropertyName: 'image' } } }],
		['nothing is downloaded', { written: { download: false } }],
		['a parameter of another operation is set', { written: { size: '512x512' } }],
	])('stays the same if %s', async (_what, input) => {
		expect(await keyOf(input)).toBe(await keyOf());
	});

	it('stays the same after an update of the node with new fields, whose defaults n8n fills in', async () => {
		const { description } = new ImageGeneration();
		const written: INodeParameters = { operation: 'generate', prompt: 'A red fox' };
		const node = { typeVersion: 1 };
		const filled = NodeHelpers.getNodeParameters(
			description.properties,
			written,
			true,
			false,
			node,
			description,
		);

		expect(filled).toMatchObject({ version: 'standard', size: 'square' });
		const absent = { version: undefined, size: undefined };
		const keyBefore = await keyOf({ written: { ...written, ...absent }, evaluated: filled ?? {} });
		expect(await keyOf({ written: filled ?? {} })).toBe(keyBefore);
	});

	it('differs for another negative prompt', async () => {
		const keyWith = async (negativePrompt: string) =>
			await keyOf({ written: { operation: 'generate', options: { negativePrompt } } });

		expect(await keyWith('Fog')).not.toBe(await keyWith('Text'));
	});

	it('differs for each copy', async () => {
		const keys = await jobsKeys({ evaluated: { options: { numberOfImages: 3 } } });

		expect(new Set(keys.flat()).size).toBe(3);
	});

	it('stays the same when n8n renames a webhook’s file from its temporary id', async () => {
		const stored = async (execution: string) =>
			await keyOf({ file: { id: `filesystem-v2:executions/${execution}/binary_data/4f0c` } });

		expect(await stored('temp')).toBe(await stored('712'));
	});

	it('depends on what an agent’s tool sends, because the agent rewrites its parameters each time', async () => {
		const tool = async (prompt: string, written: string) =>
			await keyOf({ isTool: true, written: { prompt: written }, evaluated: { prompt } });

		expect(await tool('A fox', '={{ "a" }}')).toBe(await tool('A fox', '={{ "b" }}'));
		expect(await tool('A fox', '=')).not.toBe(await tool('A hen', '='));
	});

	/** The keys of each job for these addresses, which this expression returns. */
	const byUrl = async (imageUrl: string, addresses: string | string[], isTool = false) =>
		await jobsKeys({
			isTool,
			written: { inputType: 'url', imageUrl },
			evaluated: { imageUrl: addresses },
		});

	it('depends on the whole address that an agent sets', async () => {
		const tool = async (address: string) =>
			(await byUrl('={{ $fromAI("a") }}', address, true)).flat();
		const [first, second] = [await tool('http://a/?id=1'), await tool('http://a/?id=2')];

		expect(first.filter((key) => second.includes(key))).toStrictEqual([]);
		expect(await tool('http://a/?id=1')).toStrictEqual(first);
	});

	it('recognizes an address by its path only while Image URL is as it was', async () => {
		const [[whole, path] = []] = await byUrl('={{ $json.a }}', 'http://a/?signed=1');
		const [signedAgain = []] = await byUrl('={{ $json.a }}', 'http://a/?signed=2#top');
		const [besideAnother] = await byUrl('={{ $json.a }}', ['http://a/?signed=1', 'http://b']);
		const [edited] = await byUrl('={{ $json.b }}', 'http://a/?signed=1');

		expect(signedAgain).toStrictEqual([expect.any(String), path]);
		expect(signedAgain[0]).not.toBe(whole);
		expect(besideAnother).toStrictEqual([whole, path]);
		expect(edited).not.toContain(path);
	});

	it('recognizes an address only as a whole if several have the same path', async () => {
		const idsOf = async (...ids: number[]) =>
			await byUrl(
				'={{ $json.a }}',
				ids.map((id) => `http://a/?id=${id}`),
			);
		const [[first] = [], [second] = []] = await idsOf(1, 2);

		expect(first).not.toBe(second);
		expect(await idsOf(2, 1, 3)).toStrictEqual([[second], [first], [expect.any(String)]]);
		expect(await idsOf(2, 3)).toStrictEqual([[second], [expect.any(String)]]);
	});
});

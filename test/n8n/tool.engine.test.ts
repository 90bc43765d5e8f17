import { useFixture } from '../support/fixture';
import {
	AS_TOOL,
	fox,
	IN_ORDER,
	itemsOf,
	marked,
	removeBackground,
	TWO_ATTEMPTS,
} from '../support/runs';

const fixture = useFixture();

describe('the node as an AI tool', () => {
	it('returns id, output_url and Markdown that shows the image, and downloads nothing', async () => {
		const { rows } = await fixture.run(fox(), { node: AS_TOOL });

		const [job] = fixture.charges();
		expect(rows).toStrictEqual([
			{
				json: {
					fileName: marked('a-fox'),
					id: job?.jobId,
					output_url: job?.outputUrl,
					markdown: `![Image](${job?.outputUrl})`,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(fixture.downloads()).toStrictEqual([]);
		expect(fixture.charged()).toBe(1);
	});

	it.each<[link: string, shown: string, fileName: string]>([
		['https://example.com/a (1).png', 'https://example.com/a%20%281%29.png', 'fox.png'],
		['https://example.com/a.PNG?x=1', 'https://example.com/a.PNG?x=1', 'fox.png'],
		['https://example.com/view?id=1', 'https://example.com/view?id=1', 'fox'],
	])('returns the link %s, with Markdown that shows %s, and calls it %s', async (...row) => {
		const [link, shown, fileName] = row;
		fixture.sandbox.arm({ fault: 'bad-output-url', location: link });
		const { rows } = await fixture.run(fox({ fileName: 'fox' }), { node: AS_TOOL });

		expect(rows[0]?.json).toMatchObject({
			fileName,
			output_url: link,
			markdown: `![Image](${shown})`,
		});
	});

	it('returns no input fields or files, even with Include Input Fields', async () => {
		const options = { includeInputFields: true };
		const binary = { a: await fixture.file('a.jpg'), b: await fixture.gif('b') };
		const { rows } = await fixture.run(
			removeBackground({ inputType: 'all', download: false, options }),
			{ node: AS_TOOL, items: [{ json: { sku: 1 }, binary }] },
		);

		const string = expect.any(String) as string;
		expect(rows).toStrictEqual(
			['a', 'b'].map((source) => ({
				json: {
					source,
					fileName: string,
					id: string,
					output_url: string,
					markdown: string,
				},
				pairedItem: { item: 0 },
			})),
		);
	});

	it('stops the agent if On Error = Stop was chosen', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'The text is too long' } });
		const node = { ...AS_TOOL, onError: 'stopWorkflow' } as const;
		const { run, error } = await fixture.run(fox(), { node });

		expect(error?.message).toBe('The text is too long');
		expect(run.data.resultData.error).toBeDefined();
	});

	it.each(['binary', 'all'])(
		'says what to do if the agent’s input has no files, and returns no input fields: %s',
		async (inputType) => {
			const { rows } = await fixture.run(
				removeBackground({ inputType, options: { includeInputFields: true } }),
				{ node: AS_TOOL, items: itemsOf('One') },
			);

			expect(Object.keys(rows[0]?.json ?? {})).toStrictEqual(['error', 'details']);
			expect(rows[0]?.json.details).toMatchObject({
				advice: expect.stringContaining(
					"A tool gets only the files that reach its agent: use an image URL, or an expression in 'Input Data Field Name(s)' that returns a file from an earlier node.",
				) as string,
			});
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it('takes over an earlier attempt’s purchases, although n8n counts each attempt as a run', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400 });
		const { rows } = await fixture.run(fox({ ...IN_ORDER, numberOfImages: 2 }), {
			node: { ...TWO_ATTEMPTS, type: AS_TOOL.type },
		});

		const [second, first] = fixture.charges();
		expect(rows.map(({ json }) => [json.copy, json.id])).toStrictEqual([
			[1, first?.jobId],
			[2, second?.jobId],
		]);
		expect(fixture.charged()).toBe(2);
	});
});

it('the node that is no tool has the input’s fields and files with Include Input Fields, and its own in their place', async () => {
	const { output_url } = (await fixture.run(fox())).rows[0]?.json ?? {};
	const result = { id: 'a-job', output_url, fileName: '../../etc/passwd', seed: 7 };
	fixture.sandbox.arm({ fault: 'extra-fields', body: result, times: 4 });
	const item = {
		json: { sku: 1, seed: 1, fileName: 'theirs', source: 'shop', copy: 'text' },
		binary: { a: await fixture.file('a.jpg'), b: await fixture.gif('b') },
	};
	const options = { includeInputFields: true, numberOfImages: 2, outputPropertyName: 'a' };
	const { rows } = await fixture.run(
		{ operation: 'edit', prompt: 'Blur it', inputType: 'all', options },
		{ items: [item] },
	);

	const image = rows[1]?.binary?.a;
	expect(image?.fileName).toMatch(/^a-.+\.jpg$/);
	expect(image?.id).not.toBe(item.binary.a.id);
	expect(rows[1]).toStrictEqual({
		json: { sku: 1, ...result, fileName: image?.fileName, source: 'a', copy: 2 },
		binary: { a: image, b: item.binary.b },
		pairedItem: { item: 0 },
	});
});

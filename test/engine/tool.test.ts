import { useFixture } from '../support/fixture';

const fixture = useFixture();

const generate = { operation: 'generate', prompt: 'A fox', size: '128x128' };
// n8n 2.40.3 gives a node used as a tool its own type and logs its output under another connection.
const asTool = { type: 'imageGenerationTool', rewireOutputLogTo: 'ai_tool' } as const;

describe('the node as an AI tool', () => {
	it('returns id and output_url and downloads nothing', async () => {
		const { rows } = await fixture.run(generate, { node: asTool });

		const [job] = fixture.sandbox.ledger.slice(-1);
		expect(rows).toEqual([
			{
				json: { fileName: 'a-fox.jpg', id: job?.jobId, output_url: job?.outputUrl },
				pairedItem: { item: 0 },
			},
		]);
		expect(fixture.downloads()).toEqual([]);
		expect(fixture.charged()).toBe(1);
	});

	it('returns no input fields or files, even with Include Input Fields', async () => {
		const { rows } = await fixture.run(
			{
				operation: 'removeBackground',
				download: false,
				options: { includeInputFields: true },
			},
			{ node: asTool, items: [await fixture.photo(undefined, { sku: 1 })] },
		);

		expect(rows.map((row) => Object.keys(row).sort())).toEqual([['json', 'pairedItem']]);
		expect(Object.keys(rows[0]?.json ?? {}).sort()).toEqual(['fileName', 'id', 'output_url']);
	});

	it('returns no files for all images of the agent’s input', async () => {
		const binary = { a: await fixture.file('a.jpg'), b: await fixture.file() };
		const { rows } = await fixture.run(
			{ operation: 'removeBackground', inputType: 'all' },
			{ node: asTool, items: [{ json: {}, binary }] },
		);

		expect(rows.map(({ json }) => json.source)).toEqual(['a', 'b']);
		expect(rows.flatMap((row) => Object.keys(row))).not.toContain('binary');
	});

	it('uses an earlier node’s image through an expression', async () => {
		const photo = await fixture.photo();
		await fixture.run(
			{
				operation: 'edit',
				prompt: 'Make it grayscale',
				binaryPropertyName: '={{ $("Items").item.binary.data }}',
			},
			{ node: asTool, items: [photo] },
		);

		expect(fixture.calls()[0]?.files[0]).toMatchObject({ fileName: 'astronaut.jpg' });
	});

	it('returns the service’s message for a rejected request, so that the model can react', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'The text is too long' } });
		const { rows } = await fixture.run(generate, { node: asTool });

		expect(rows.map(({ json }) => json)).toMatchObject([
			{
				error: 'The text is too long',
				details: { advice: 'The service rejected the request. Check the fields of this item.' },
			},
		]);
	});

	it('stops the agent if On Error = Stop was chosen', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'The text is too long' } });
		const node = { ...asTool, onError: 'stopWorkflow' } as const;
		const { run, error } = await fixture.run(generate, { node });

		expect(error?.message).toBe('The text is too long');
		expect(run.data.resultData.error).toBeDefined();
	});

	it('makes several images of a prompt, each with its copy number', async () => {
		const options = { numberOfImages: 2 };
		const { rows } = await fixture.run({ ...generate, options }, { node: asTool });

		expect(rows.map(({ json }) => json.copy)).toEqual([1, 2]);
		expect(new Set(rows.map(({ json }) => json.id)).size).toBe(2);
	});

	it.each([
		['all', { inputType: 'all' }],
		['a name', { binaryPropertyName: 'data' }],
		['a list of names', { binaryPropertyName: 'a, b' }],
	])('says what to do if the agent’s input has no files: %s', async (_what, parameters) => {
		const { rows } = await fixture.run(
			{ operation: 'removeBackground', ...parameters },
			{ node: asTool },
		);

		expect(rows[0]?.json.details).toMatchObject({
			advice: expect.stringContaining(
				"A tool gets only the files that reach its agent: use an image URL, or an expression in 'Input Data Field Name(s)' that returns a file from an earlier node.",
			) as string,
		});
		expect(fixture.calls()).toEqual([]);
	});

	it('takes over an earlier attempt’s purchases, although n8n counts each attempt as a run', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400 });
		const options = { numberOfImages: 2, concurrency: 1 };
		const { rows } = await fixture.run(
			{ ...generate, options },
			{ node: { type: asTool.type }, rounds: [[{ json: {} }]] },
		);

		const [second, first] = fixture.sandbox.ledger.slice(-2);
		expect(rows.map(({ json }) => json.id)).toEqual([first?.jobId, second?.jobId]);
		expect(fixture.charged()).toBe(2);
	});
});

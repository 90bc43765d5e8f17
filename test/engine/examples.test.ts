import { readFileSync } from 'node:fs';
import type { IBinaryKeyData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import sharp from 'sharp';

import { assignmentsOf, example, withModelValues, nodeOf } from '../support/examples';
import { PHOTO, useFixture } from '../support/fixture';
import { runWorkflow } from '../support/runWorkflow';
import type { ExportedWorkflow, StandIn, WorkflowResult } from '../support/runWorkflow';
import { text } from '../support/text';

const fixture = useFixture();

/** Stands in for a stock node and outputs these items. */
const outputs =
	(...items: INodeExecutionData[]): StandIn =>
	() => [items];

/** Runs an example, by default with an item from its trigger and the settings that it ships with. */
async function run(
	workflow: ExportedWorkflow,
	standIns: Record<string, StandIn>,
): Promise<WorkflowResult> {
	const settings = workflow.nodes.find(({ name }) => name === 'Settings');
	return await runWorkflow(workflow, fixture.credential, {
		...(workflow.nodes.some(({ name }) => name === 'Start') && { Start: outputs({ json: {} }) }),
		...(settings && { Settings: outputs({ json: assignmentsOf(settings.parameters) }) }),
		...standIns,
	});
}

/**
 * Aggregate with Include Binaries, as in n8n 2.40.3: one item, with repeated field names numbered.
 */
const allInOne: StandIn = (input) => {
	const files = input.flatMap(({ binary = {} }) => Object.values(binary));
	const named = files.map((file, index) => [index === 0 ? 'data' : `data_${index}`, file] as const);
	return [[{ json: {}, binary: Object.fromEntries(named), pairedItem: { item: 0 } }]];
};

const fileNames = (items: INodeExecutionData[] = []) =>
	items.map(({ binary }) => binary?.data?.fileName);

describe('Product Photos from a Form', () => {
	const submit = async (files: IBinaryKeyData) =>
		await run(example('product-photos-from-a-form.json'), {
			'On Form Submission': outputs({ json: { Product: 'Red bicycle' }, binary: files }),
			'All Photos Together': allInOne,
			'Any Photo Done?': (input) => {
				const [item] = input;
				return Object.keys(item?.binary ?? {}).length > 0 ? [input, []] : [[], input];
			},
		});
	const pdf = async () =>
		await fixture.engine.store(Buffer.from('%PDF-1.7'), 'prices.pdf', 'application/pdf');

	it('cuts out each photo and names the files after the product', async () => {
		const photo = await fixture.file('IMG_1.jpg');
		const { received, parameters, error } = await submit({ Photos_0: photo, Photos_1: photo });

		expect(error).toBeUndefined();
		const done = received.get('All Photos Together');
		expect(fileNames(done)).toEqual(['Red bicycle.png', 'Red bicycle-2.png']);
		const bytes = await fixture.engine.bytesOf(done?.[0]?.binary?.data);
		expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
		expect(conditionIn(parameters, 'Any Photo Done?')).toBe(true);
		expect(parameters.get('Pack as ZIP')?.[0]?.binaryPropertyName).toBe('data,data_1');
		expect(parameters.get('Send Back')?.[0]?.completionMessage).toBe('Your download has started. ');
		expect(fixture.charged()).toBe(2);
	});

	it('returns the photos and names the PDF among them', async () => {
		const photo = await fixture.file('IMG_1.jpg');
		const { parameters } = await submit({ Photos_0: photo, Photos_1: await pdf() });

		expect(parameters.get('Pack as ZIP')?.[0]?.binaryPropertyName).toBe('data');
		expect(parameters.get('Send Back')?.[0]?.completionMessage).toBe(
			'Your download has started. Not included: prices.pdf.',
		);
		expect(fixture.charged()).toBe(1);
	});

	it('tells a visitor without a photo what to send', async () => {
		const { parameters } = await submit({ Photos_0: await pdf() });

		expect(conditionIn(parameters, 'Any Photo Done?')).toBe(false);
		expect(parameters.get('Say Why')?.[0]?.completionMessage).toBe(
			'None of your files is an image. Go back and upload JPG, PNG or WebP files.',
		);
		expect(fixture.charged()).toBe(0);
	});

	it('does not blame the visitor if the service rejects the photo', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 402, body: { err: 'The wallet is empty' } });
		const { parameters } = await submit({ Photos: await fixture.file('IMG_1.jpg') });

		expect(parameters.get('Say Why')?.[0]?.completionMessage).toBe(
			'Your photos could not be processed just now. Try again later.',
		);
	});
});

/** The value that an If node tests. */
function conditionIn(parameters: WorkflowResult['parameters'], name: string): unknown {
	const [given] = parameters.get(name) ?? [];
	const { conditions } = given?.conditions as { conditions: Array<{ leftValue: unknown }> };
	return conditions[0]?.leftValue;
}

describe('Mail Attachments, Cut Out and Sent Back', () => {
	it('answers each mail with its own images and leaves out a PDF', async () => {
		const photo = await fixture.file('holiday.jpg');
		const other = await fixture.file('garden.jpg');
		const pdf = await fixture.engine.store(Buffer.from('%PDF-1.7'), 'bill.pdf', 'application/pdf');
		const { received, parameters, error } = await run(example('mail-attachments.json'), {
			'Email Trigger (IMAP)': outputs(
				{
					json: { from: 'Ann <ann@example.com>', subject: 'Holiday' },
					binary: { attachment_0: photo, attachment_1: pdf },
					pairedItem: { item: 0 },
				},
				{
					json: { from: 'Bob <bob@example.com>', subject: 'Garden' },
					binary: { attachment_0: other },
					pairedItem: { item: 1 },
				},
			),
		});

		expect(error).toBeUndefined();
		expect(fileNames(received.get('Send Email'))).toEqual([
			'holiday-no-background.png',
			'garden-no-background.png',
		]);
		expect(parameters.get('Send Email')).toMatchObject([
			{ toEmail: 'Ann <ann@example.com>', subject: 'Re: Holiday' },
			{ toEmail: 'Bob <bob@example.com>', subject: 'Re: Garden' },
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('sends nothing for a mail without an image', async () => {
		const { received, error } = await run(example('mail-attachments.json'), {
			'Email Trigger (IMAP)': outputs({ json: { from: 'ann@example.com', subject: 'Hello' } }),
		});

		expect(error).toBeUndefined();
		expect(received.has('Send Email')).toBe(false);
		expect(fixture.charged()).toBe(0);
	});
});

describe('Webhook Image API', () => {
	const call = async (body: INodeExecutionData['json']) =>
		await run(example('webhook-image-api.json'), {
			Webhook: outputs({ json: { body } }),
		});

	it('responds with an image of the requested size', async () => {
		const { received } = await call({ prompt: 'a red fox', size: '256x128' });

		const [row] = received.get('Respond with Image') ?? [];
		const { width, height } = await sharp(
			await fixture.engine.bytesOf(row?.binary?.data),
		).metadata();
		expect([width, height]).toEqual([256, 128]);
		expect(received.has('Respond with Reason')).toBe(false);
	});

	it('responds to a bad call with the reason, and nothing is charged', async () => {
		const { parameters } = await call({ prompt: 'a red fox', size: 'huge' });

		expect(parameters.get('Respond with Reason')).toMatchObject([
			{
				responseBody: {
					error: expect.stringMatching(/^'Size' is "huge"\./) as string,
					hint: expect.any(String) as string,
				},
				options: { responseCode: 400 },
			},
		]);
		expect(fixture.charged()).toBe(0);
	});

	it('responds with 502 if the service rejects the request', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 402, body: { err: 'The wallet is empty' } });
		const { parameters } = await call({ prompt: 'a red fox' });

		expect(parameters.get('Respond with Reason')).toMatchObject([
			{ responseBody: { error: 'The wallet is empty' }, options: { responseCode: 502 } },
		]);
	});

	it('does not blame the caller if the service gives no response', async () => {
		fixture.sandbox.arm({ fault: 'close-after' });
		const { parameters } = await call({ prompt: 'a red fox' });

		expect(parameters.get('Respond with Reason')).toMatchObject([
			{ options: { responseCode: 502 } },
		]);
	});
});

describe('Folder with Error Report', () => {
	it('saves the finished images and reports the others with id, link and reason', async () => {
		const data = await fixture.engine.store(Buffer.from('# Photos'), 'README.md', 'text/markdown');
		fixture.sandbox.arm({ fault: 'download-404', times: 1 });
		const { parameters } = await run(example('folder-with-error-report.json'), {
			'Read Photos': outputs(
				{ json: {}, binary: { data } },
				await fixture.photo('one.jpg'),
				await fixture.photo('two.jpg'),
			),
		});

		const saved = parameters.get('Save to Folder')?.map(({ fileName }) => text(fileName));
		expect(saved).toEqual([
			expect.stringMatching(/^output\/(one|two)-no-background\.png$/) as string,
		]);
		const reported = parameters.get('Id, Link and Reason')?.map((set) => assignmentsOf(set));
		expect(reported).toEqual([
			{
				file: 'README.md',
				id: '',
				link: '',
				reason: expect.stringContaining('"README.md" is not an image') as string,
				whatToDo: expect.stringMatching(/./) as string,
			},
			{
				file: expect.stringMatching(/^(one|two)\.jpg$/) as string,
				id: expect.stringMatching(/./) as string,
				link: expect.stringMatching(/^http/) as string,
				reason: expect.stringContaining('could not be downloaded') as string,
				whatToDo: expect.stringMatching(/./) as string,
			},
		]);
		expect(fixture.charged()).toBe(2);
	});
});

describe('Blog Illustrations', () => {
	it('draws each post in the size of its shape and names the file after its title', async () => {
		const { jsonOutput } = nodeOf(example('blog-illustrations.json'), 'Posts').parameters;
		const { posts } = JSON.parse(text(jsonOutput)) as {
			posts: INodeExecutionData['json'][];
		};
		const { received, error } = await run(example('blog-illustrations.json'), {
			'One Item per Post': outputs(...posts.map((json) => ({ json, pairedItem: { item: 0 } }))),
		});

		expect(error).toBeUndefined();
		const rows = received.get('Save to Folder') ?? [];
		expect(fileNames(rows)).toEqual([
			'why-foxes-are-red.jpg',
			'ten-quiet-lakes.jpg',
			'baking-with-rye.jpg',
		]);
		expect(rows.map(({ json }) => json.title)).toEqual(posts.map(({ title }) => title));
		const sizes = fixture.calls().map(({ fields }) => `${fields.width}x${fields.height}`);
		expect(sizes).toEqual(['1024x576', '576x1024', '512x512']);
		expect(fixture.calls()[0]?.fields.text).toContain('“Why Foxes Are Red”');
	});
});

describe('Sheet of Prompts', () => {
	it('buys what has no link yet, and writes each link or reason into its own row', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' }, when: 'berry' });
		const sheet = [
			{ prompt: 'a red fox', link: 'https://example.com/fox.jpg' },
			{ prompt: 'a quiet lake', link: '' },
			{ prompt: 'a black berry' },
		];
		const { parameters, error } = await run(example('sheet-of-prompts.json'), {
			Prompts: outputs(
				...sheet.map((row, index) => ({
					json: { row_number: index + 2, ...row },
					pairedItem: { item: 0 },
				})),
			),
			'Rows Without a Link': (input) => [
				input
					.map((item, index) => ({ ...item, pairedItem: { item: index } }))
					.filter(({ json }) => (json.link ?? '') === ''),
			],
		});

		expect(error).toBeUndefined();
		const rows = (name: string) =>
			parameters.get(name)?.map(({ columns }) => (columns as { value: unknown }).value);
		expect(rows('Link Into the Row')).toEqual([
			{ row_number: 3, link: expect.stringMatching(/^http/) as string, reason: '' },
		]);
		expect(rows('Reason Into the Row')).toEqual([
			{ row_number: 4, link: '', reason: expect.stringMatching(/^No The service/) as string },
		]);
		expect(fixture.downloads()).toEqual([]);
		expect(fixture.charged()).toBe(1);
	});
});

describe('Nightly Folder', () => {
	const workflow = example('nightly-folder.json');
	// The engine has no data tables; the end-to-end test runs the example with one.
	delete (nodeOf(workflow, 'Remove Background').parameters.options as INodeParameters).purchaseLog;
	const night = async (...photos: INodeExecutionData[]) =>
		await run(workflow, {
			'Every Night': outputs({ json: {} }),
			'Read Photos': outputs(...photos),
		});
	const changed = async (name: string) => {
		const bytes = Buffer.concat([readFileSync(PHOTO), Buffer.from(name)]);
		return { json: {}, binary: { data: await fixture.engine.store(bytes, name, 'image/jpeg') } };
	};

	it('buys only what is new, and saves everything', async () => {
		await night(await changed('old.jpg'));
		const { parameters } = await night(await changed('old.jpg'), await changed('new.jpg'));

		expect(parameters.get('Save to Folder')?.map(({ fileName }) => fileName)).toEqual([
			'output/old-no-background.png',
			'output/new-no-background.png',
		]);
		expect(parameters.has('Say Why')).toBe(false);
		expect(fixture.charged()).toBe(2);
	});

	it('says why a photo could not be processed', async () => {
		const data = await fixture.engine.store(Buffer.from('No photo'), 'no.jpg', 'image/jpeg');
		const { parameters } = await night({ json: {}, binary: { data } });

		expect(parameters.get('Say Why')).toEqual([
			{
				errorMessage:
					'Item 1, "no.jpg": The file "no.jpg" claims to be image/jpeg but is not an image. Use an image, such as a JPG, PNG or WebP file.',
			},
		]);
	});
});

describe('Budget', () => {
	const start = async (count: number) =>
		await run(example('budget.json'), {
			Settings: outputs({ json: { budget: 2, outputFolder: 'output' } }),
			'One Item per Prompt': outputs(
				...Array.from({ length: count }, (_, index) => ({
					json: { prompt: `Fox ${index + 1}` },
					pairedItem: { item: 0 },
				})),
			),
			'Within the Budget?': (input) => (count <= 2 ? [input, []] : [[], input]),
		});

	it('buys what the budget allows', async () => {
		const { parameters, error } = await start(2);

		expect(error).toBeUndefined();
		expect(conditionIn(parameters, 'Within the Budget?')).toBe(true);
		expect(parameters.get('Save to Folder')?.map(({ fileName }) => fileName)).toEqual([
			'output/fox-1.jpg',
			'output/fox-2.jpg',
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('buys nothing above it', async () => {
		const { parameters } = await start(3);

		expect(conditionIn(parameters, 'Within the Budget?')).toBe(false);
		expect(parameters.get('Say Why')?.[0]).toEqual({
			errorMessage: 'The list needs 3 images, but the budget is 2.',
		});
		expect(fixture.calls()).toEqual([]);
	});
});

describe('AI Agent That Draws and Edits', () => {
	const workflow = example('ai-agent-draws-and-edits.json');
	// n8n 2.40.3 gives a node used as a tool its own type.
	const asTool = { type: 'imageGenerationTool', rewireOutputLogTo: 'ai_tool' } as const;

	it('draws what the model asks for and edits it by its link', async () => {
		const draw = withModelValues(nodeOf(workflow, 'Draw').parameters, {
			prompt: 'A red fox in the snow',
			size: '256x256',
		});
		const { rows: drawn } = await fixture.run(draw.filled, { node: asTool });
		const edit = withModelValues(nodeOf(workflow, 'Edit').parameters, {
			image_url: text(drawn[0]?.json.output_url),
			instruction: 'Make it black and white',
		});
		const { rows: edited, error } = await fixture.run(edit.filled, { node: asTool });

		expect(draw.asked).toEqual(['prompt', 'size']);
		expect(edit.asked).toEqual(['image_url', 'instruction']);
		expect(error).toBeUndefined();
		expect(edited[0]?.json.output_url).toMatch(/^http/);
		expect(edited[0]?.binary).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});
});

describe('Chain by Links', () => {
	it('passes each image on by its link and downloads only the last', async () => {
		const { parameters, error } = await run(example('chain-by-links.json'), {});

		expect(error).toBeUndefined();
		expect(parameters.get('Save to Folder')?.map(({ fileName }) => fileName)).toEqual([
			'output/a red bicycle on a white table.png',
		]);
		const [drawn, edited] = fixture.sandbox.ledger.slice(-3);
		expect(
			fixture
				.calls()
				.slice(1)
				.map(({ fields }) => fields.image),
		).toEqual([drawn?.outputUrl, edited?.outputUrl]);
		expect(fixture.charged()).toBe(3);
	});
});

describe('Generate, Edit and Remove Background', () => {
	it('makes three images from a prompt and a photo', async () => {
		const { received, error } = await run(example('generate-edit-remove-background.json'), {
			'Read Photo': outputs(await fixture.photo()),
		});

		expect(error).toBeUndefined();
		expect(fileNames(received.get('Save to Folder')).sort()).toEqual([
			'a-red-fox-in-a-forest.jpg',
			'astronaut-edited.jpg',
			'astronaut-no-background.png',
		]);
		expect(
			fixture
				.calls()
				.map(({ path }) => path)
				.sort(),
		).toEqual(['/api/background-remover', '/api/image-editor', '/api/text2img']);
	});
});

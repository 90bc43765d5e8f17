import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import sharp from 'sharp';

import type { FaultRule } from '../../sandbox/faults/rules';
import { assignmentsOf, example } from '../support/examples';
import { useFixture } from '../support/fixture';
import { runWorkflow, type StandIn } from '../support/runWorkflow';

const fixture = useFixture();
const REJECTED: FaultRule = { fault: 'status', status: 402, body: { err: 'The wallet is empty' } };

/** Stands in for a stock node and outputs these items. */
const outputs =
	(...items: INodeExecutionData[]): StandIn =>
	() => [items.map((item, index) => ({ pairedItem: { item: index }, ...item }))];

/** Runs an example with an item from its trigger, and with the settings that it ships with. */
async function run(file: string, standIns: Record<string, StandIn>) {
	const workflow = example(file);
	const settings = workflow.nodes.find(({ name }) => name === 'Settings');
	for (const { parameters } of workflow.nodes) {
		// The engine has no data tables; an end-to-end test runs the example with one.
		delete (parameters.options as INodeParameters | undefined)?.purchaseLog;
	}
	return await runWorkflow(workflow, fixture.credential, {
		...(workflow.nodes.some(({ name }) => name === 'Start') && { Start: outputs({ json: {} }) }),
		...(settings && { Settings: outputs({ json: assignmentsOf(settings.parameters) }) }),
		...standIns,
	});
}

// With n8n's own nodes, end-to-end tests run the other examples, and these as long as all goes well.

it('Product Photos from a Form does not blame the visitor if the service rejects the photo', async () => {
	fixture.sandbox.arm(REJECTED);
	const { parameters } = await run('product-photos-from-a-form.json', {
		'On Form Submission': outputs(await fixture.photo()),
		'Any Photo Done?': (input) => [[], input],
	});

	expect(parameters.get('Say Why')?.[0]?.completionMessage).toBe(
		'Your photos could not be processed just now. Try again later.',
	);
});

it('Mail Attachments buys at most 20 cut-outs at once, and answers the photo beyond them as well', async () => {
	const photos = Array.from({ length: 21 }, async (_, index) => {
		const size = { width: 20 + index, height: 20 };
		const create = { ...size, channels: 3 as const, background: 'red' };
		const bytes = await sharp({ create }).jpeg().toBuffer();
		const file = await fixture.engine.store(bytes, `IMG_${index}.jpg`, 'image/jpeg');
		return [`attachment_${index}`, file];
	});
	const mail = {
		json: { from: { value: [{ address: 'many@example.com' }] }, subject: 'All of them' },
		binary: Object.fromEntries(await Promise.all(photos)) as Record<string, IBinaryData>,
	};
	const { received, parameters } = await run('mail-attachments.json', {
		'Email Trigger (IMAP)': outputs(mail),
		Settings: (input) => [input],
	});

	expect(fixture.charged()).toBe(20);
	expect(received.get('Send Cut-Out')).toHaveLength(20);
	expect(parameters.get('Say Why')).toMatchObject([
		{ text: 'Your photo could not be processed just now. Send it again later.' },
	]);
});

it.each<[what: string, fault: FaultRule, body: object]>([
	['rejects the request', REJECTED, { error: 'The wallet is empty' }],
	['gives no response', { fault: 'close-after' }, {}],
])('Webhook Image API does not blame the caller if the service %s', async (_what, fault, body) => {
	fixture.sandbox.arm(fault);
	const { parameters } = await run('webhook-image-api.json', {
		Webhook: outputs({ json: { body: { prompt: 'a red fox' } } }),
	});

	expect(parameters.get('Respond with Reason')).toMatchObject([
		{ responseBody: body, options: { responseCode: 502 } },
	]);
});

it('Sheet of Prompts buys what has no link yet, and writes each link or reason into its own row', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' }, when: 'berry' });
	const sheet = [
		{ prompt: 'a red fox', link: 'https://example.com/fox.jpg' },
		{ prompt: 'a quiet lake', link: '' },
		{ prompt: 'a black berry' },
	];
	const rows = sheet.map((row, index) => ({ json: { row_number: index + 2, ...row } }));
	const { parameters, error } = await run('sheet-of-prompts.json', {
		Prompts: outputs(...rows),
		'Rows Without a Link': (input) => [
			input
				.map((item, index) => ({ ...item, pairedItem: { item: index } }))
				.filter(({ json }) => (json.link ?? '') === ''),
		],
	});

	expect(error).toBeUndefined();
	const written = (name: string) =>
		parameters.get(name)?.map(({ columns }) => (columns as { value: unknown }).value);
	expect(written('Write Link')).toStrictEqual([
		{ row_number: 3, link: expect.stringMatching(/^http/) as string, reason: '' },
	]);
	expect(written('Write Reason')).toStrictEqual([
		{ row_number: 4, link: '', reason: expect.stringMatching(/^No The service/) as string },
	]);
	expect(fixture.downloads()).toStrictEqual([]);
	expect(fixture.charged()).toBe(1);
});

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from '../../scripts/host/openEditor.mjs';
import { loadedWidth } from '../support/wholeN8n/Editor.mjs';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { assertSuccess, rowsOf } from '../support/wholeN8n/execution.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { startSmtp } from '../support/wholeN8n/mailServers.mjs';
import { until, untilN8n } from '../support/wholeN8n/until.mjs';
import type { WorkflowBody } from '../support/wholeN8n/workflow.mjs';

const no = 'No, another one';

/** With its own form, and with the recipe's mail. */
describe('The example Approval Before Publishing', () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'approval' });
	let browser: Browser;
	before(async () => {
		browser = await openBrowser();
	});
	after(() => browser.close());
	/** Publishes it and submits its first form. */
	const begin = async (body: WorkflowBody, path: string, picture: string) => {
		const trigger = body.nodes.find(({ name }) => name === 'On Form Submission');
		assert.ok(trigger);
		trigger.parameters.options = { path };
		const workflowId = await fixture.api.publish(body, `/form/${path}`);
		const page = await openPage(browser);
		page.setDefaultTimeout(60_000);
		await page.goto(`${fixture.n8n.url}/form/${path}`);
		await page.locator('input[type="text"]').fill(picture);
		await page.click('#submit-btn');
		return { page, workflowId };
	};
	/** Answers the question for the latest image. @returns the link of the image that it shows */
	const answer = async (page: Page, choice: string, picture?: string) => {
		const link = fixture.charged().at(-1)?.outputUrl;
		const image = page.locator(`img[src="${link}"]`);
		await image.waitFor();
		assert.ok((await loadedWidth(image)) > 100);
		await page.locator('select').selectOption(choice);
		if (picture !== undefined) await page.locator('input[type="text"]').fill(picture);
		await page.click('#submit-btn');
		return link;
	};
	const charge = async (count: number) => {
		await until(`${count} images are charged`, () => fixture.charged().length === count);
	};
	/** The files that it has published of a subject. */
	const published = async (subject: string) => {
		const files = await readdir(fixture.files);
		return files.filter((file) => file.includes(subject));
	};
	/** Asserts that the only image that it has published of a subject is the third one. */
	const assertThird = async (workflowId: string, subject: string) => {
		const execution = await fixture.api.lastExecution(workflowId);
		assertSuccess(execution);
		const rows = rowsOf(execution, 'Generate Image');
		assert.equal(rows.length, 3);
		const third = rows[2]?.json;
		assert.deepEqual(await published(subject), [third?.fileName]);
		const saved = await readFile(join(fixture.files, String(third?.fileName)));
		assert.deepEqual(saved, await fixture.sandbox.output(String(third?.id)));
		assert.deepEqual(
			rows.map(({ json }) => json.id),
			fixture.charged().map(({ jobId }) => jobId),
		);
		return saved;
	};

	it('makes another image after each No, and publishes the third one, for which the answer was Yes', async () => {
		const body = shipped(fixture, 'approval-before-publishing.json');
		const { page, workflowId } = await begin(body, 'approval-loop', 'a red kite');
		await charge(1);
		const first = await answer(page, no, 'a red kite at night');
		await charge(2);
		const second = await answer(page, no, 'a red kite in the rain');
		await charge(3);
		const third = await answer(page, 'Yes');
		await page.getByText(/a-red-kite-in-the-rain-\w{6}\.jpg/).waitFor();

		assert.equal(new Set([first, second, third]).size, 3);
		const saved = await assertThird(workflowId, 'red-kite');
		const wishes = fixture.charged().map(({ fields }) => fields['text']);
		assert.deepEqual(wishes, ['a red kite', 'a red kite at night', 'a red kite in the rain']);
		const jobs = fixture.charged().slice(0, 2);
		for (const { jobId } of jobs) {
			assert.notDeepEqual(await fixture.sandbox.output(jobId), saved);
		}
	});

	it('buys another image for the same words, and says after the fifth No why there is no sixth', async () => {
		const body = shipped(fixture, 'approval-before-publishing.json');
		const { page } = await begin(body, 'approval-limit', 'a grey goose');
		for (const count of [1, 2, 3, 4, 5]) {
			await charge(count);
			await answer(page, no);
		}
		await page.getByRole('heading', { name: 'Not published' }).waitFor();

		await page.getByText("'Max Images' is 5").waitFor();
		const jobs = fixture.charged();
		assert.deepEqual(
			jobs.map(({ fields }) => fields['text']),
			Array.from({ length: 5 }, () => 'a grey goose'),
		);
		assert.equal(new Set(jobs.map(({ outputUrl }) => outputUrl)).size, 5);
		assert.deepEqual(await published('goose'), []);
	});

	it('asks by mail, as the recipe says: a declined image is followed by another, and the approved one is published', async (context) => {
		const smtp = await startSmtp();
		context.after(smtp.stop);
		const body = shipped(fixture, 'approval-before-publishing.json');
		const id = await fixture.api.createCredential('SMTP', 'smtp', smtp.account);
		askByMail(body, { smtp: { id, name: 'SMTP' } });
		const { page, workflowId } = await begin(body, 'approval-mail', 'a black swan');
		const mailbox = await openPage(browser);
		mailbox.setDefaultTimeout(60_000);
		// n8n takes a headless browser for a scanner of links, and doesn't count its answer.
		const userAgent = String(await mailbox.evaluate('navigator.userAgent')).replace('Headless', '');
		await mailbox.setExtraHTTPHeaders({ 'user-agent': userAgent });
		for (const [count, choice] of [
			[1, 'Decline'],
			[2, 'Decline'],
			[3, 'Approve'],
		] as const) {
			await until(`mail ${count} is sent`, () => smtp.sent.length === count);
			// The mail arrives before n8n has stored that the execution waits for its answer.
			await untilN8n(`n8n waits for answer ${count}`, async () => {
				const [latest] = await fixture.api.executions(workflowId);
				return latest?.status === 'waiting';
			});
			const { html } = smtp.sent[count - 1] ?? {};
			assert.ok(typeof html === 'string');
			assert.ok(html.includes(fixture.charged().at(-1)?.outputUrl ?? 'no link'));
			await mailbox.setContent(html);
			const link = await mailbox.getByRole('link', { name: choice }).getAttribute('href');
			await mailbox.goto(link ?? '');
			await mailbox.getByText('Got it, thanks').waitFor();
		}
		// Who has filled in the form sees its end as well.
		await page.getByText(/a-black-swan-\w{6}\.jpg/).waitFor();

		await assertThird(workflowId, 'swan');
	});
});

/** Changes the example as the recipe says. */
function askByMail(
	{ nodes }: WorkflowBody,
	credentials: Record<string, { id: string; name: string }>,
) {
	for (const node of nodes) {
		if (node.name === 'Generate Image') {
			node.parameters.prompt = "={{ $('On Form Submission').first().json.Picture }}";
		}
		if (node.name === 'Look at It') {
			node.type = 'n8n-nodes-base.emailSend';
			node.typeVersion = 2.1;
			node.credentials = credentials;
			node.parameters = {
				operation: 'sendAndWait',
				fromEmail: 'n8n@example.com',
				toEmail: 'ann@example.com',
				subject: 'Publish this image?',
				message: '={{ $json.output_url }}',
				approvalOptions: { values: { approvalType: 'double' } },
				options: {},
			};
		}
		if (node.name === 'Approved?') {
			const { conditions } = node.parameters.conditions as { conditions: object[] };
			conditions[0] = {
				id: 'approved',
				leftValue: '={{ $json.data.approved }}',
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			};
		}
	}
}

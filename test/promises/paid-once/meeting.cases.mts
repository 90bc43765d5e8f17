import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, idsIn } from '../../support/wholeN8n/execution.mjs';
import { photo, upload, type Fixture } from '../../support/wholeN8n/fixture.mjs';
import { form, stock, webhook } from '../../support/wholeN8n/nodes.mjs';

/** Executions that run at the same time. */
export function meetingCases(fixture: Fixture): void {
	const options = { reuse: 'always' };

	it('a form that a double click sends twice buys one image, with Reuse Images set to Always', async () => {
		const path = 'double-click';
		const prompt = 'a double click';
		const node = fixture.node('Generate', { operation: 'generate', prompt, options });
		const id = await fixture.publish([form(path, 'Photo'), node]);
		fixture.sandbox.arm({ fault: 'delay', delayMs: 3000, when: prompt });
		const send = async () =>
			await fixture.call(path, upload(['field-0', 'photo.jpg', photo]), 'form');
		await Promise.all([send(), send()]);
		const executions = await fixture.api.finished(id, 2);

		executions.forEach(assertSuccess);
		const [job, ...others] = fixture.charged(prompt);
		assert.deepEqual(others, []);
		assert.deepEqual(
			executions.flatMap((execution) => idsIn(execution, 'Generate')),
			[job?.jobId, job?.jobId],
		);
	});

	it('a workflow that sends its result to its own webhook stops in words at a result of a result, and pays for two images', async () => {
		const path = 'circle';
		const prompt = 'make it go round';
		const send = stock('Save', 'httpRequest', 4.2, {
			method: 'POST',
			url: `${fixture.n8n.url}/webhook/${path}`,
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'data', inputDataFieldName: 'data' }],
			},
			options: {},
		});
		const edit = fixture.node('Edit', { operation: 'edit', inputType: 'all', prompt });
		const id = await fixture.publish([webhook(path, 'onReceived'), edit, send]);
		await fixture.call(path, upload(['data', 'photo.jpg', photo]));
		const [third, second, first, ...more] = await fixture.api.finished(id, 3);

		assert.deepEqual(more, []);
		assert.ok(first && second && third);
		assertSuccess(first);
		assertSuccess(second);
		assert.equal(third.status, 'error');
		const { message = '' } = third.data.resultData.error ?? {};
		const made = `was made by this node from its own result, in execution ${second.id}`;
		assert.ok(message.includes(made), message);
		assert.equal(fixture.charged(prompt).length, 2);
	});

	it('a visitor of a form who has each result edited again gets every image', async () => {
		const path = 'again-and-again';
		const prompt = 'a little brighter';
		const edit = fixture.node('Edit', { operation: 'edit', inputType: 'all', prompt });
		const id = await fixture.publish([form(path, 'Photo'), edit]);
		let file: Buffer = photo;
		for (let edits = 1; edits <= 3; edits++) {
			await fixture.call(path, upload(['field-0', 'photo.jpg', file]), 'form');
			const executions = await fixture.api.finished(id, edits);
			executions.forEach(assertSuccess);
			const jobs = fixture.charged(prompt);
			assert.equal(jobs.length, edits);
			file = await fixture.sandbox.output(jobs.at(-1)?.jobId ?? '');
		}
	});
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { assertSuccess, type Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import { webhook } from './nodes.mjs';
import { until } from './until.mjs';

/** A workflow that generates two images of a prompt, which is its path, one after the other. */
export interface TwoImages {
	/** Publishes it. @param node settings of the node. @returns its id */
	publish: (
		path: string,
		settings?: Record<string, unknown>,
		node?: Record<string, unknown>,
	) => Promise<string>;
	/** Calls it, and waits until one image is finished and the request for the other one hangs. */
	begin: (path: string) => Promise<void>;
	/** Runs it again. @returns its execution, which succeeded */
	runAgain: (path: string, workflowId: string) => Promise<Execution>;
	/** Asserts that its next run delivers both images, and buys only one of them. */
	assertTakenOver: (path: string, workflowId: string) => Promise<void>;
}

export function twoImages(fixture: Fixture): TwoImages {
	const publish: TwoImages['publish'] = async (path, settings = {}, node = {}) => {
		const options = { numberOfImages: 2, concurrency: 1 };
		const parameters = { operation: 'generate', prompt: '={{ $json.body.prompt }}', options };
		const nodes = [webhook(path, 'onReceived'), fixture.node('Generate', parameters, node)];
		return await fixture.publish(nodes, { settings });
	};
	const begin: TwoImages['begin'] = async (path) => {
		fixture.sandbox.arm({ fault: 'hang', after: 1, when: path });
		await fixture.call(path, { prompt: path });
		await until(
			`the second request for ${path} is in progress`,
			() => fixture.calls(path).length === 2,
		);
	};
	const runAgain: TwoImages['runAgain'] = async (path, workflowId) => {
		fixture.sandbox.disarm();
		const call = () => fixture.call(path, { prompt: path });
		const execution = await fixture.api.run(workflowId, call);
		assertSuccess(execution);
		return execution;
	};
	const assertTakenOver: TwoImages['assertTakenOver'] = async (path, workflowId) => {
		fixture.assertDelivered(await runAgain(path, workflowId), 'Generate', path);
		assert.equal(fixture.charged(path).length, 2);
	};
	return { publish, begin, runAgain, assertTakenOver };
}

/** Waits until n8n's log has these words. @returns the log */
export async function logged(log: string, words: string): Promise<string> {
	let text = '';
	await until(`the log says "${words}"`, async () => {
		text = await readFile(log, 'utf8');
		return text.includes(words);
	});
	return text;
}

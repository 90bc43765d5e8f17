import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { RunOfNode } from '../../nodes/ImageGeneration/buy/purchaseKeys';
import { StreamedFile } from '../../nodes/ImageGeneration/images/streamedFile';
import type { Service } from '../../nodes/ImageGeneration/service/service';
import type { Job, JobResult } from '../../nodes/ImageGeneration/types';
import { jobWith } from './jobs';

/** What distinguishes a run from others. */
interface RunInput {
	account?: string;
	workflow?: string;
	node?: string;
	execution?: string;
}

let nodes = 0;

/** A node that has not run before, because all tests of a file share the memories. */
export const newNode = (): string => `node ${++nodes}`;

/** Places whose runs must not find what a run elsewhere bought. */
export const elsewhere: Array<[what: string, place: RunInput]> = [
	['account', { account: 'another account' }],
	['workflow', { workflow: 'another workflow' }],
	['node', { node: newNode() }],
];

/** The parts of a run that decide which earlier purchases it finds. */
export function runOf({
	account = 'an account',
	workflow = 'a workflow',
	node = 'a node',
	execution = '1',
}: RunInput): RunOfNode {
	return {
		context: {
			getWorkflow: () => ({ id: workflow }),
			getExecutionId: () => execution,
		} as IExecuteFunctions,
		node: { id: node } as INode,
		service: { account } as Service,
	};
}

/** A job with a prompt. */
export const jobFor = (text: string): Job =>
	jobWith({ request: { model: 'text2img', fields: { text } } });

/** A job with a file. @param open Reads its bytes. */
export function jobWithFile(open: () => Promise<Uint8Array[]>): Job {
	const file = new StreamedFile('photo.png', 'image/png', 1, open);
	return jobWith({ request: { model: 'background-remover', fields: {}, file } });
}

/** A job whose file n8n's storage no longer has. */
export const unreadableJob = (): Job =>
	jobWithFile(async () => await Promise.reject(new Error('The file is gone')));

export const resultOf = (id: string): JobResult => ({
	id,
	output_url: `https://example.com/${id}`,
});

/** A result whose JSON has as many characters. */
export function resultOfLength(characters: number): JobResult {
	const base = { ...resultOf('long'), note: '' };
	return { ...base, note: 'x'.repeat(characters - JSON.stringify(base).length) };
}

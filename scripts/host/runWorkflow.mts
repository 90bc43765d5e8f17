import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'undici';
import { PlainError } from '../tools/PlainError.mjs';
import type { N8nSession } from './N8nSession.mjs';

/** A node that has run. */
export interface Step {
	node: string;
	milliseconds: number;
	/** The error's message, then its description on the following lines. */
	failure?: string;
}

/** The messages of n8n's push connection that matter here (2.41.1). */
type Message =
	| { type: 'nodeExecuteAfter'; data: { nodeName: string; data: NodeRun } }
	| { type: 'executionFinished'; data: { executionId: string; status: string } }
	| { type: 'other' };

interface NodeRun {
	executionTime: number;
	error?: { message: string; description?: string | null };
}

/**
 * Runs a workflow as the editor's "Execute workflow" does, and reports each node that has run.
 *
 * @param trigger name of the trigger node to start from
 * @returns the execution's id
 * @throws PlainError if the execution does not succeed
 */
export async function runWorkflow(
	session: N8nSession,
	workflowId: string,
	trigger: string,
	onStep: (step: Step) => void,
): Promise<string> {
	const pushRef = randomUUID();
	const address = `${session.url.replace('http', 'ws')}/rest/push?pushRef=${pushRef}`;
	// n8n compares the origin with its own address.
	const headers = { cookie: session.cookie, origin: session.url };
	const socket = new WebSocket(address, { headers });
	try {
		await once(socket, 'open');
		const finished = new Promise<{ executionId: string; status: string }>((resolve, reject) => {
			socket.addEventListener('close', () =>
				reject(new PlainError('n8n closed the connection before the workflow had finished.')),
			);
			socket.addEventListener('message', ({ data }) => {
				// Binary frames carry the nodes' output; events are text.
				if (typeof data !== 'string') return;
				const message = JSON.parse(data) as Message;
				if (message.type === 'nodeExecuteAfter') {
					onStep(step(message.data.nodeName, message.data.data));
				}
				if (message.type === 'executionFinished') resolve(message.data);
			});
		});
		await session.post(
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: trigger } },
			{ 'push-ref': pushRef },
		);
		const { executionId, status } = await finished;
		if (status !== 'success') {
			throw new PlainError(`The workflow ended with the status "${status}".`);
		}
		return executionId;
	} finally {
		socket.close();
	}
}

function step(node: string, { executionTime, error }: NodeRun): Step {
	const done = { node, milliseconds: executionTime };
	return error
		? { ...done, failure: [error.message, error.description].filter(Boolean).join('\n') }
		: done;
}

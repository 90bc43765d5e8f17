import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'undici';
import { PlainError } from '../tools/PlainError.mjs';
import type { N8nSession } from './N8nSession.mjs';

/** One node that has run. */
export interface Step {
	node: string;
	milliseconds: number;
	/** n8n's title of what went wrong, then its description in lines of their own. */
	failure?: string;
}

interface Failure {
	message: string;
	description?: string | null;
}

/** The messages of n8n's push connection that are of use here (2.40.3). */
type Message =
	| {
			type: 'nodeExecuteAfter';
			data: {
				executionId: string;
				nodeName: string;
				data: { executionTime: number; error?: Failure };
			};
	  }
	| { type: 'executionFinished'; data: { executionId: string; status: string } }
	| { type: 'other' };

/**
 * Presses "Execute workflow" and follows the run as the editor would.
 * @param trigger name of the trigger node to start from
 * @returns the execution's id
 * @throws PlainError when the run does not end well
 */
export async function runWorkflow(
	session: N8nSession,
	workflowId: string,
	trigger: string,
	onStep: (step: Step) => void,
): Promise<string> {
	const pushRef = randomUUID();
	const socket = new WebSocket(
		`${session.url.replace('http', 'ws')}/rest/push?pushRef=${pushRef}`,
		{
			// n8n compares the origin with its own address.
			headers: { cookie: session.cookie, origin: session.url },
		},
	);
	try {
		await once(socket, 'open');
		const finished = new Promise<{ executionId: string; status: string }>((resolve, reject) => {
			socket.addEventListener('close', () =>
				reject(new PlainError('n8n hung up before the workflow was done.')),
			);
			socket.addEventListener('message', ({ data }) => {
				// The output of each node comes as a binary frame; the news come as text.
				if (typeof data !== 'string') return;
				const message = JSON.parse(data) as Message;
				if (message.type === 'nodeExecuteAfter') onStep(step(message.data));
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

function step({
	nodeName,
	data,
}: {
	nodeName: string;
	data: { executionTime: number; error?: Failure };
}): Step {
	const done = { node: nodeName, milliseconds: data.executionTime };
	if (!data.error) return done;
	const words = [data.error.message, data.error.description].filter(Boolean);
	return { ...done, failure: words.join('\n') };
}

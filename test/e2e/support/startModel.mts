import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A message of a chat, as OpenAI's chat completions have it. */
export interface ChatMessage {
	role: string;
	content: string | null;
	tool_calls?: { id: string; function: { name: string; arguments: string } }[];
	tool_call_id?: string;
}

/** What the model is asked. */
export interface ChatRequest {
	messages: ChatMessage[];
	tools: { function: { name: string; description: string; parameters: unknown } }[];
}

/** What the model says: a call of a tool, or its answer. */
export type Turn =
	| { tool: string; arguments: (results: string[]) => Record<string, string> }
	| { answer: (results: string[]) => string };

/** A model that plays a script, behind OpenAI's interface. No AI runs in it. */
export interface Model {
	/** What n8n's OpenAI credential has as its address. */
	url: string;
	requests: ChatRequest[];
	close: () => void;
}

/** @param turns one for each time that the model is asked */
export async function startModel(turns: readonly Turn[]): Promise<Model> {
	const requests: ChatRequest[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			const asked = (await json(request)) as ChatRequest;
			const turn = turns[requests.length];
			requests.push(asked);
			const message = turn === undefined ? undefined : messageOf(turn, resultsIn(asked));
			response.statusCode = message === undefined ? 500 : 200;
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(message && completion(message)));
		})();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => server.close() };
}

/** What the tools have answered so far, in order. */
export function resultsIn({ messages }: ChatRequest): string[] {
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

function messageOf(turn: Turn, results: string[]): ChatMessage {
	if ('answer' in turn) return { role: 'assistant', content: turn.answer(results) };
	const call = { name: turn.tool, arguments: JSON.stringify(turn.arguments(results)) };
	const id = `call_${results.length}`;
	const toolCall = { id, type: 'function', function: call };
	return { role: 'assistant', content: null, tool_calls: [toolCall] };
}

function completion(message: ChatMessage) {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{
				index: 0,
				message,
				finish_reason: message.tool_calls === undefined ? 'stop' : 'tool_calls',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

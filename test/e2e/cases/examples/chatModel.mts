import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a model is told when it is its turn. */
export interface Turn {
	/** What tools have answered since the user spoke. */
	answers: string[];
	/** The names of the tools it may call. */
	tools: string[];
}

/** What it does: calls a tool, or speaks. */
export type Move = { tool: string; values: Record<string, string> } | { says: string };

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string } }>;
	stream?: boolean;
}

/** A stand-in for a chat model, as n8n's OpenAI node speaks to one (2.40.3 and 1.123.81). */
export async function startChatModel(
	decide: (turn: Turn) => Move,
): Promise<{ url: string; close: () => Promise<void> }> {
	const server = createServer((request, response) => {
		void answer(request, response, decide);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	decide: (turn: Turn) => Move,
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks).toString();
	const { messages, tools = [], stream } = JSON.parse(body || '{"messages":[]}') as ChatRequest;
	const move = decide({
		answers: messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => JSON.stringify(content)),
		tools: tools.map(({ function: { name } }) => name),
	});
	const reason = 'tool' in move ? 'tool_calls' : 'stop';
	const all = { id: 'chat', created: 0, model: 'stand-in' };
	if (stream !== true) {
		const choice = { index: 0, message: messageOf(move), finish_reason: reason };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ ...all, object: 'chat.completion', choices: [choice] }));
		return;
	}
	response.setHeader('content-type', 'text/event-stream');
	for (const choice of [
		{ index: 0, delta: messageOf(move), finish_reason: null },
		{ index: 0, delta: {}, finish_reason: reason },
	]) {
		const chunk = { ...all, object: 'chat.completion.chunk', choices: [choice] };
		response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	}
	response.end('data: [DONE]\n\n');
}

function messageOf(move: Move) {
	if ('says' in move) return { role: 'assistant', content: move.says };
	const call = { name: move.tool, arguments: JSON.stringify(move.values) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [{ index: 0, id: randomUUID(), type: 'function', function: call }],
	};
}

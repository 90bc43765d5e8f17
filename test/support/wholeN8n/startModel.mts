import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Fixture } from './fixture.mjs';
import { listen } from './listen.mjs';

/** What a model sees when it is called. */
export type Turn = ReturnType<typeof turnOf>;

/** A model's response: a call of a tool, or several at once, or text. */
export type Reply = { tool: string; values: Values | Values[] } | { text: string };

/** What a model fills in. */
type Values = Record<string, string>;

/** What n8n's OpenAI node sends (2.41.1 and 1.123.81). */
interface ChatRequest {
	messages: { role: string; content: unknown }[];
	tools?: { function: { name: string } }[];
	stream?: boolean;
}

/**
 * Starts a scripted chat model with OpenAI's API, and creates a credential for it. No AI runs in it.
 * @param decide returns the model's response to a call
 */
export async function startModel({ api }: Fixture, decide: (turn: Turn) => Reply) {
	/** Every call so far. */
	const turns: Turn[] = [];
	const server = createServer((request, response) => {
		// n8n's Agents ask for OpenAI's newer API first, and use this one if there is no other (2.41.1).
		if (request.url !== '/v1/chat/completions') {
			response.writeHead(404).end();
			return;
		}
		void (async () => {
			const asked = (await json(request)) as ChatRequest;
			const turn = turnOf(asked);
			turns.push(turn);
			const { type, body } = toResponse(decide(turn), asked.stream === true);
			response.setHeader('content-type', type).end(body);
		})().catch((error: unknown) => {
			// The agent's execution fails with this message.
			response.writeHead(400).end(String(error));
		});
	});
	const { url, close } = await listen(server);
	const name = 'Scripted model';
	const data = { apiKey: 'none', url: `${url}/v1`, header: false };
	const id = await api.createCredential(name, 'openAiApi', data);
	return { credentials: { openAiApi: { id, name } }, turns, close };
}

function turnOf({ messages, tools = [] }: ChatRequest) {
	return {
		/** Results of its tool calls so far, in order. */
		results: messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content)),
		/** Names of its tools. */
		tools: tools.map(({ function: { name } }) => name),
		/** What the agent's system message tells it. */
		system: messages
			.filter(({ role }) => role === 'system' || role === 'developer')
			.map(({ content }) => String(content))
			.join('\n'),
		/** What the user wrote and attached, as JSON. */
		user: JSON.stringify(messages.filter(({ role }) => role === 'user')),
	};
}

/** As one response, or as a stream if the chat asks for one. */
function toResponse(reply: Reply, asStream: boolean): { type: string; body: string } {
	const all = { id: 'chat', created: 0, model: 'stand-in' };
	const message = messageOf(reply);
	const finish_reason = 'tool' in reply ? 'tool_calls' : 'stop';
	if (!asStream) {
		const choices = [{ index: 0, message, finish_reason }];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const body = JSON.stringify({ ...all, object: 'chat.completion', choices, usage });
		return { type: 'application/json', body };
	}
	const chunks = [
		{ index: 0, delta: message, finish_reason: null },
		{ index: 0, delta: {}, finish_reason },
	].map((choice) => JSON.stringify({ ...all, object: 'chat.completion.chunk', choices: [choice] }));
	const body = [...chunks, '[DONE]'].map((chunk) => `data: ${chunk}\n\n`).join('');
	return { type: 'text/event-stream', body };
}

function messageOf(reply: Reply) {
	if ('text' in reply) return { role: 'assistant', content: reply.text };
	const tool_calls = [reply.values].flat().map((values, index) => ({
		index,
		id: crypto.randomUUID(),
		type: 'function',
		function: { name: reply.tool, arguments: JSON.stringify(values) },
	}));
	return { role: 'assistant', content: null, tool_calls };
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';
import { fromModel } from './agents.cases.mjs';

/** A session with an MCP Server Trigger, over its Streamable HTTP transport. */
class McpSession {
	#id = 0;

	private constructor(
		private readonly url: string,
		private readonly session: Record<string, string> = {},
	) {}

	static async open(url: string): Promise<McpSession> {
		const client = { name: 'test', version: '1.0.0' };
		const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: client };
		const answer = await new McpSession(url).#send({ id: 0, method: 'initialize', params });
		await answer.text();
		const id = answer.headers.get('mcp-session-id');
		assert.ok(id);
		const session = new McpSession(url, { 'mcp-session-id': id });
		await (await session.#send({ method: 'notifications/initialized' })).text();
		return session;
	}

	/** @returns a request's result */
	async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
		const answer = await this.#send({ id: ++this.#id, method, params });
		const [, data = '{}'] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
		return (JSON.parse(data) as { result?: Record<string, unknown> }).result ?? {};
	}

	async #send(message: object): Promise<Response> {
		return await fetch(this.url, {
			method: 'POST',
			headers: {
				connection: 'close',
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...this.session,
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
	}
}

/** The node as a tool of an MCP Server Trigger. */
export function mcpCases(fixture: Fixture): void {
	/** Publishes one. @returns what a client reads after it has called the tool */
	const call = async (path: string, options: Record<string, unknown>): Promise<string> => {
		const trigger = {
			name: 'MCP Server Trigger',
			type: '@n8n/n8n-nodes-langchain.mcpTrigger',
			typeVersion: 2,
			parameters: { path },
			webhookId: path,
		};
		const parameters = { operation: 'generate', prompt: fromModel('Prompt'), options };
		const tool = {
			...fixture.node('Draw', parameters),
			type: 'n8n-nodes-image-generation.imageGenerationTool',
		};
		const wires = [{ from: tool.name, to: trigger.name, type: 'ai_tool' as const }];
		await fixture.api.publish(workflow(path, [trigger, tool], { wires }), `/mcp/${path}`);
		return await callAgain(path);
	};

	const callAgain = async (path: string): Promise<string> => {
		const session = await McpSession.open(`${fixture.n8n.url}/mcp/${path}`);
		const { tools } = await session.request('tools/list');
		const [{ name } = { name: '' }] = tools as Array<{ name: string }>;
		const result = await session.request('tools/call', {
			name,
			arguments: { Prompt: `${path} fox` },
		});
		return JSON.stringify(result.content);
	};

	describe('MCP Server Trigger', () => {
		it('draws, and returns the link', async () => {
			const said = await call('mcp', {});
			const [job, ...others] = fixture.charged();

			assert.deepEqual(others, []);
			assert.equal(job?.fields.text, 'mcp fox');
			assert.ok(said.includes(job.outputUrl), said);
		});

		it('whose client gives up and asks again while the first call is in progress pays once', async () => {
			const path = 'asked-again';
			fixture.sandbox.arm({ fault: 'delay', delayMs: 15_000, when: path });
			const first = call(path, {});
			await until('the first call is sent', () => fixture.calls().length > 0);
			const again = await callAgain(path);
			const [job, ...others] = fixture.charged(`${path} fox`);

			assert.deepEqual(others, []);
			assert.ok(again.includes(job?.outputUrl ?? 'no link'), again);
			assert.equal(await first, again);
		});

		it('refuses a Purchase Log before it costs anything, and says which option to remove', async () => {
			const said = await call('purchase-log', { purchaseLog: 'Image Purchases' });

			assert.ok(said.includes("'Purchase Log'"), said);
			assert.deepEqual(fixture.calls(), []);
		});

		it('counts Max Images per Day over all calls', async () => {
			const options = { maxImagesPerDay: 1 };
			const first = await call('limited', options);
			const second = await callAgain('limited');

			assert.equal(fixture.charged().length, 1);
			assert.ok(first.includes(fixture.charged()[0]?.outputUrl ?? 'no link'), first);
			assert.ok(second.includes("'Max Images per Day' is 1"), second);
		});
	});
}

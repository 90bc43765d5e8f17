import type { Fixture } from './fixture.mjs';
import type { WorkflowNode } from './workflow.mjs';

/** A file that somebody attaches to a message. */
export interface Attachment {
	fileName: string;
	mimeType: string;
	bytes: Buffer;
}

/** The events of n8n's stream that matter here (2.41.1). */
type StreamEvent =
	| { type: 'text-delta'; delta: string }
	| { type: 'error'; message: string }
	| { type: 'other' };

/** An agent in n8n's Agents, which is a preview in 2.41.1 and runs its tools without a workflow. */
export class PreviewAgent {
	private constructor(
		private readonly fixture: Fixture,
		private readonly project: string,
		private readonly id: string,
	) {}

	/**
	 * Creates an agent.
	 * @param model id of an OpenAI credential
	 */
	static async create(
		fixture: Fixture,
		model: string,
		tools: readonly WorkflowNode[],
	): Promise<PreviewAgent> {
		const { session } = fixture;
		const { id: project } = (await session.get('/projects/personal')) as { id: string };
		const path = `/projects/${project}/agents/v2`;
		const { id } = (await session.post(path, { name: 'Painter' })) as { id: string };
		const { config, configHash } = (await session.get(`${path}/${id}/config`)) as {
			config: Record<string, unknown>;
			configHash: string;
		};
		await session.put(`${path}/${id}/config`, {
			baseConfigHash: configHash,
			config: {
				...config,
				model: 'openai/scripted',
				credential: model,
				instructions: 'Draw and edit what the user asks for.',
				tools: tools.map(toTool),
			},
		});
		return new PreviewAgent(fixture, project, id);
	}

	/** Where its page is in the editor. */
	get address(): string {
		return `${this.fixture.n8n.url}/projects/${this.project}/agents/${this.id}`;
	}

	/** Sends it a message, like the preview's chat in the editor. @returns its answer, once it is complete */
	async chat(message: string, attachments: readonly Attachment[] = []): Promise<string> {
		const { url, cookie } = this.fixture.session;
		const path = `/rest/projects/${this.project}/agents/v2/${this.id}/chat`;
		const response = await fetch(`${url}${path}`, {
			method: 'POST',
			headers: {
				cookie,
				'content-type': 'application/json',
				connection: 'close',
			},
			body: JSON.stringify({
				message,
				attachments: attachments.map(({ fileName, mimeType, bytes }) => ({
					fileName,
					mimeType,
					data: bytes.toString('base64'),
				})),
			}),
		});
		let text = '';
		for (const line of (await response.text()).split('\n')) {
			if (!line.startsWith('data: ')) continue;
			const event = JSON.parse(line.slice('data: '.length)) as StreamEvent;
			if (event.type === 'text-delta') text += event.delta;
			if (event.type === 'error') throw new Error(event.message);
		}
		return text;
	}
}

/** A node as n8n's editor adds it to an agent, by the type that n8n makes for tools. */
function toTool({ name, type, typeVersion, parameters, credentials }: WorkflowNode) {
	return {
		type: 'node',
		name,
		node: {
			nodeType: `${type}Tool`,
			nodeTypeVersion: typeVersion,
			nodeParameters: parameters,
			credentials,
		},
	};
}

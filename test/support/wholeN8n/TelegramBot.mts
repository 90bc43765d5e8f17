import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Fixture } from './fixture.mjs';
import { listen, type Listening } from './listen.mjs';
import { until } from './until.mjs';
import type { WorkflowNode } from './workflow.mjs';

const token = '123456:not-a-secret';

/** What somebody sends: a Message of the Bot API, without its number, chat and time. */
export type Content = Record<string, unknown>;

/** An Update of the Bot API. */
export interface Update {
	update_id: number;
	message?: Content & { message_id: number };
	edited_message?: Content & { message_id: number };
}

/** What the bot has sent to a chat. */
export interface Sent {
	chat: number;
	replyTo: number;
	text: string;
	/** A photo or document; empty if it is a text. */
	file: Buffer;
	fileName: string;
}

/** What a bot has asked for with setWebhook. */
interface Webhook {
	url: string;
	secret_token: string;
	allowed_updates: string[];
}

/**
 * Telegram's side of one bot, as its Bot API describes it: it stores the bot's webhook, has the files of messages,
 * receives what the bot sends, and posts updates.
 */
export class TelegramBot {
	/** What the bot has sent so far. */
	readonly sent: Sent[] = [];
	readonly #files = new Map<string, { path: string; bytes: Buffer }>();
	#listening: Listening | undefined;
	#webhook: Partial<Webhook> | undefined;
	#lastUpdate = 1000;
	#lastMessage = 0;

	readonly #server = createServer((request, response) => {
		void this.#respond(request)
			.catch((error: unknown) => failed(500, String(error)))
			.then(({ status, body }) => {
				if (Buffer.isBuffer(body)) response.writeHead(status).end(body);
				else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
			});
	});

	/** Starts it. @returns the nodes' `credentials` for it */
	async start({ api }: Fixture): Promise<NonNullable<WorkflowNode['credentials']>> {
		this.#listening = await listen(this.#server);
		const name = 'Telegram account';
		const data = { accessToken: token, baseUrl: this.#listening.url };
		const id = await api.createCredential(name, 'telegramApi', data);
		return { telegramApi: { id, name } };
	}

	close(): void {
		this.#listening?.close();
	}

	/** A photo of a message, in the sizes that Telegram makes. The last one is the largest. */
	photo(bytes: Buffer): Content {
		const size = (file_id: string, width: number) => ({
			file_id,
			file_unique_id: `unique-${file_id}`,
			width,
			height: width,
		});
		const small = this.#addFile('photos', Buffer.from('a thumbnail'), 'jpg');
		return { photo: [size(small, 90), size(this.#addFile('photos', bytes, 'jpg'), 800)] };
	}

	/** A file of a message, which Telegram sends as it is. */
	document(bytes: Buffer, file_name: string, mime_type: string): Content {
		const file_id = this.#addFile('documents', bytes, file_name.split('.').at(-1) ?? '');
		return { document: { file_id, file_unique_id: `unique-${file_id}`, file_name, mime_type } };
	}

	/** The update for a new message. */
	update(chat: number, content: Content): Update {
		return { update_id: ++this.#lastUpdate, message: this.#message(chat, content) };
	}

	/** The update for a message that somebody has edited. */
	editedUpdate(chat: number, content: Content): Update {
		const edited_message = { ...this.#message(chat, content), edit_date: 1_790_000_060 };
		return { update_id: ++this.#lastUpdate, edited_message };
	}

	/** Posts an update to the webhook, again and again until it responds with a status of 2xx. */
	async post(update: Update): Promise<void> {
		// n8n's address responds before n8n has told it to Telegram.
		await until('the bot has a webhook', () => this.#webhook !== undefined);
		const { url = '', secret_token = '', allowed_updates = [] } = this.#webhook ?? {};
		if (!allowed_updates.some((type) => type in update)) return;
		await until('the webhook takes the update', async () => {
			const { ok } = await fetch(url, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'x-telegram-bot-api-secret-token': secret_token,
					connection: 'close',
				},
				body: JSON.stringify(update),
			});
			return ok;
		});
	}

	#message(chat: number, content: Content) {
		return {
			message_id: ++this.#lastMessage,
			from: { id: chat, is_bot: false, first_name: 'Ann' },
			chat: { id: chat, first_name: 'Ann', type: 'private' },
			date: 1_790_000_000,
			...content,
		};
	}

	/** @returns its id */
	#addFile(folder: string, bytes: Buffer, extension: string): string {
		const count = this.#files.size;
		const id = `AgACAgIAAxkBAAI-${count}`;
		this.#files.set(id, { path: `${folder}/file_${count}.${extension}`, bytes });
		return id;
	}

	async #respond(request: IncomingMessage): Promise<Answer> {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const [, of = '', name = ''] = /^\/((?:file\/)?bot[^/]+)\/(.*)$/.exec(pathname) ?? [];
		if (of === `file/bot${token}`) {
			const file = [...this.#files.values()].find(({ path }) => path === name);
			return file === undefined ? failed(404, 'Not Found') : { status: 200, body: file.bytes };
		}
		if (of !== `bot${token}`) return failed(401, 'Unauthorized');
		const fields = await fieldsOf(request, searchParams);
		const text = (field: string) => {
			const value = fields.get(field);
			return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
		};
		switch (name) {
			case 'getWebhookInfo':
				return done({ url: this.#webhook?.url ?? '', pending_update_count: 0 });
			case 'setWebhook':
				this.#webhook = Object.fromEntries(fields);
				return done(true);
			case 'deleteWebhook':
				this.#webhook = undefined;
				return done(true);
			case 'getFile': {
				const file = this.#files.get(text('file_id'));
				if (file === undefined) return failed(400, 'Bad Request: invalid file_id');
				const { path, bytes } = file;
				return done({ file_id: text('file_id'), file_size: bytes.length, file_path: path });
			}
			case 'sendMessage':
			case 'sendPhoto':
			case 'sendDocument': {
				const file = fields.get('photo') ?? fields.get('document');
				this.sent.push({
					chat: Number(text('chat_id')),
					replyTo: Number(text('reply_to_message_id')),
					text: text('text'),
					file: file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0),
					fileName: file instanceof File ? file.name : '',
				});
				return done({ message_id: ++this.#lastMessage, chat: { id: Number(text('chat_id')) } });
			}
			default:
				return failed(404, 'Not Found');
		}
	}
}

interface Answer {
	status: number;
	body: Buffer | string;
}

const done = (result: unknown): Answer => ({
	status: 200,
	body: JSON.stringify({ ok: true, result }),
});

const failed = (status: number, description: string): Answer => ({
	status,
	body: JSON.stringify({ ok: false, error_code: status, description }),
});

/** A method's parameters, in whichever way they come. */
async function fieldsOf(request: IncomingMessage, query: URLSearchParams) {
	const type = request.headers['content-type'] ?? '';
	const body = await buffer(request);
	if (body.length === 0) return new Map<string, unknown>(query);
	if (type.startsWith('application/json')) {
		const parameters = JSON.parse(body.toString()) as Record<string, unknown>;
		return new Map(Object.entries(parameters));
	}
	// Node's parser reads all parts into memory, which small photos fit into.
	const parts: { formData(): Promise<FormData> } = new Response(body, {
		headers: { 'content-type': type },
	});
	const form = await parts.formData();
	return new Map<string, unknown>(form);
}

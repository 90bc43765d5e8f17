import { PlainError } from '../tools/PlainError.mjs';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A user signed in to n8n, through the REST API that its editor uses (2.41.1, 1.123.81). */
export class N8nSession {
	constructor(
		readonly url: string,
		readonly cookie: string,
	) {}

	/** Signs in. Creates the owner first if this n8n has none. */
	static async open(url: string, owner: Owner): Promise<N8nSession> {
		const nobody = new N8nSession(url, '');
		const settings = (await nobody.get('/settings')) as {
			userManagement: { showSetupOnFirstLoad?: boolean };
		};
		const login = { emailOrLdapLoginId: owner.email, password: owner.password };
		const response = settings.userManagement.showSetupOnFirstLoad
			? await nobody.#send('POST', '/owner/setup', owner)
			: await nobody.#send('POST', '/login', login);
		if (!response.ok) {
			throw new PlainError(
				`n8n did not accept the password of ${owner.email} (status ${response.status}). ` +
					'If you changed it in n8n, delete the folder .cache/n8n to start from scratch.',
			);
		}
		const cookies = response.headers.getSetCookie();
		return new N8nSession(url, cookies.map((value) => value.split(';', 1)[0]).join('; '));
	}

	async get(path: string): Promise<unknown> {
		return await this.#call('GET', path);
	}

	async patch(path: string, body: unknown): Promise<unknown> {
		return await this.#call('PATCH', path, body);
	}

	async post(path: string, body: unknown, headers?: Record<string, string>): Promise<unknown> {
		return await this.#call('POST', path, body, headers);
	}

	async put(path: string, body: unknown): Promise<unknown> {
		return await this.#call('PUT', path, body);
	}

	async delete(path: string): Promise<unknown> {
		return await this.#call('DELETE', path);
	}

	async #call(
		method: string,
		path: string,
		body?: unknown,
		headers?: Record<string, string>,
	): Promise<unknown> {
		const response = await this.#send(method, path, body, headers);
		const text = await response.text();
		if (!response.ok) {
			throw new PlainError(`n8n refused ${method} ${path}: ${response.status} ${text}`);
		}
		return (JSON.parse(text) as { data: unknown }).data;
	}

	async #send(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<Response> {
		return await fetch(`${this.url}/rest${path}`, {
			method,
			// A busy n8n may close a connection that it kept for longer than it wanted.
			headers: {
				cookie: this.cookie,
				'content-type': 'application/json',
				connection: 'close',
				...headers,
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
	}
}

import { PlainError } from '../tools/PlainError.mjs';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A user signed in to n8n, through the REST API that its editor uses (2.40.3, 1.123.81). */
export class N8nSession {
	constructor(
		readonly url: string,
		readonly cookie: string,
	) {}

	/** Signs in. Creates the owner first if this n8n has none. */
	static async open(url: string, owner: Owner): Promise<N8nSession> {
		const response = (await needsSetup(url))
			? await post(`${url}/rest/owner/setup`, owner)
			: await post(`${url}/rest/login`, {
					emailOrLdapLoginId: owner.email,
					password: owner.password,
				});
		if (!response.ok) {
			throw new PlainError(
				`n8n did not accept the password of ${owner.email} (status ${response.status}). ` +
					'If you changed it in n8n, delete the folder .cache/n8n to start from scratch.',
			);
		}
		const cookie = response.headers
			.getSetCookie()
			.map((value) => value.split(';', 1)[0] ?? '')
			.join('; ');
		return new N8nSession(url, cookie);
	}

	async get(path: string): Promise<unknown> {
		const response = await fetch(`${this.url}/rest${path}`, { headers: { cookie: this.cookie } });
		return await readData(response, `GET ${path}`);
	}

	async patch(path: string, body: unknown): Promise<unknown> {
		const response = await send('PATCH', `${this.url}/rest${path}`, body, { cookie: this.cookie });
		return await readData(response, `PATCH ${path}`);
	}

	async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
		const response = await post(`${this.url}/rest${path}`, body, {
			cookie: this.cookie,
			...headers,
		});
		return await readData(response, `POST ${path}`);
	}
}

async function readData(response: Response, request: string): Promise<unknown> {
	const text = await response.text();
	if (!response.ok) throw new PlainError(`n8n refused ${request}: ${response.status} ${text}`);
	return (JSON.parse(text) as { data: unknown }).data;
}

async function needsSetup(url: string): Promise<boolean> {
	const { data } = (await (await fetch(`${url}/rest/settings`)).json()) as {
		data: { userManagement: { showSetupOnFirstLoad?: boolean } };
	};
	return data.userManagement.showSetupOnFirstLoad === true;
}

async function post(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Response> {
	return await send('POST', url, body, headers);
}

async function send(
	method: string,
	url: string,
	body: unknown,
	headers: Record<string, string>,
): Promise<Response> {
	return await fetch(url, {
		method,
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
}

import { PlainError } from '../tools/PlainError.mjs';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A signed-in user of a running n8n, over the REST interface that its editor uses (2.40.3, 1.123.81). */
export class N8nSession {
	private constructor(
		readonly url: string,
		readonly cookie: string,
	) {}

	/** Signs in, and makes the owner first when this n8n has none. */
	static async open(url: string, owner: Owner): Promise<N8nSession> {
		const answer = (await isNew(url))
			? await post(`${url}/rest/owner/setup`, owner)
			: await post(`${url}/rest/login`, {
					emailOrLdapLoginId: owner.email,
					password: owner.password,
				});
		if (!answer.ok) {
			throw new PlainError(
				`n8n does not let ${owner.email} in (status ${answer.status}). If you changed the ` +
					'password there, sign in with yours; to begin anew, delete the folder .cache/n8n.',
			);
		}
		const cookie = answer.headers
			.getSetCookie()
			.map((value) => value.split(';', 1)[0] ?? '')
			.join('; ');
		return new N8nSession(url, cookie);
	}

	async get(path: string): Promise<unknown> {
		const answer = await fetch(`${this.url}/rest${path}`, { headers: { cookie: this.cookie } });
		return await dataOf(answer, `GET ${path}`);
	}

	async patch(path: string, body: unknown): Promise<unknown> {
		const answer = await send('PATCH', `${this.url}/rest${path}`, body, { cookie: this.cookie });
		return await dataOf(answer, `PATCH ${path}`);
	}

	async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
		const answer = await post(`${this.url}/rest${path}`, body, { cookie: this.cookie, ...headers });
		return await dataOf(answer, `POST ${path}`);
	}
}

async function dataOf(answer: Response, request: string): Promise<unknown> {
	const text = await answer.text();
	if (!answer.ok) throw new PlainError(`n8n refused ${request}: ${answer.status} ${text}`);
	return (JSON.parse(text) as { data: unknown }).data;
}

async function isNew(url: string): Promise<boolean> {
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

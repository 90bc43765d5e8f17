import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { startSandbox, type SandboxOptions } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { tools } from '../../sandbox/tools';
import { send } from './clients';
import { useSandbox } from './useSandbox';

const service = useSandbox({ allowance: 3 });
const { control, get, json } = service;
beforeEach(async () => {
	await service.sandbox.reset();
});

it('says on the page and in the control API that no AI model runs here', async () => {
	for (const path of ['/', '/sandbox']) {
		expect((await get(path)).body.toString()).toContain('No AI model runs here');
	}
});

it('shows the same ledger and account over HTTP as in the process', async () => {
	await json('text2img', { text: 'x' });
	expect((await control('GET', 'ledger')).json()).toStrictEqual(service.sandbox.ledger);
	expect((await control('GET', 'account')).json()).toStrictEqual({
		month: new Date().toISOString().slice(0, 7),
		allowance: 3,
		allowanceLeft: 2,
		walletCentsLeft: 1000,
		prices: { standard: 5, hd: 8, genius: 12, super_genius: 25, 'background-remover': 5 },
	});
});

it('removes the key from requests shown over HTTP', async () => {
	await json('text2img', { text: 'x' });
	const [request] = service.sandbox.requests;
	const headers = { ...request?.headers, 'api-key': '***' };
	expect((await control('GET', 'requests')).json()).toStrictEqual([{ ...request, headers }]);
	expect(request?.headers['api-key']).toBe('test-key');
});

it('arms faults over HTTP, even for "always", and disarms them', async () => {
	const rule = { fault: 'status', status: 418, times: 'always' };
	expect((await control('POST', 'faults', rule)).status).toBe(201);
	for (let call = 0; call < 3; call++) {
		expect((await json('text2img', { text: 'x' })).status).toBe(418);
	}
	expect((await control('DELETE', 'faults')).status).toBe(204);
	expect((await json('text2img', { text: 'x' })).status).toBe(200);
});

it.each([
	['nonsense', 'JSON'],
	[[], 'A fault rule is []; it must be an object with fault, on, '],
	[{}, 'fault is missing; it must be the name of a fault: status, '],
	[{ fault: 'nope' }, 'fault is "nope"; it must be the name of a fault: status, '],
	[{ fault: 'html', on: 'text2img' }, 'The fault html applies to a download, not to text2img.'],
	[{ fault: 'no-id', on: 'download' }, 'The fault no-id applies to a tool, not to download.'],
	[{ fault: 'status', wen: 'fox' }, 'A fault rule has no field "wen"'],
	[
		{ fault: 'status', times: 'often' },
		'times is "often"; it must be an integer of at least 1, or "always".',
	],
	[{ fault: 'status', on: 'tool' }, 'on is "tool"; it must be one of '],
	[{ fault: 'status', times: 0 }, 'times is 0; it must be an integer of at least 1.'],
	[{ fault: 'status', headers: { a: 1 } }, 'headers.a is 1; it must be a text.'],
	[{ fault: 'status', status: 99 }, 'status is 99; it must be an integer from 200 to 599.'],
])('refuses the fault rule %j and says why', async (rule, message) => {
	const answer = await control('POST', 'faults', rule);
	expect(answer.outcome()).toStrictEqual([400, expect.stringContaining(message)]);
});

it.each([
	[{ calls: 0, seconds: 1 }, 'calls is 0; it must be an integer from 1 to 1000000.'],
	[{ calls: 1 }, 'seconds is missing; it must be a number above 0 and at most 86400.'],
	[{ calls: 1, seconds: 1, burst: 2 }, 'A rate limit has no field "burst"; its fields are calls, '],
	[{ calls: 1, seconds: 1, retryAfter: 'no' }, 'retryAfter is "no"; it must be true or false.'],
	[[], 'A rate limit is []; it must be an object with calls, seconds, retryAfter.'],
])('refuses the rate limit %j and says why', async (limit, message) => {
	const answer = await control('PUT', 'rate-limit', limit);
	expect(answer.outcome()).toStrictEqual([400, expect.stringContaining(message)]);
});

const prices = 'standard, hd, genius, super_genius, background-remover';
it.each([
	['top-up', { cents: -5 }, 'cents is -5; it must be an integer from 1 to 1000000.'],
	['top-up', undefined, 'The body is missing; it must be an object with cents.'],
	['prices', { gold: 1 }, `A list of prices has no field "gold"; its fields are ${prices}.`],
])('refuses the %s %j and says why', async (what, body, message) => {
	const answer = await control(what === 'prices' ? 'PUT' : 'POST', `account/${what}`, body);
	expect(answer.outcome()).toStrictEqual([400, message]);
});

it.each<[SandboxOptions, string]>([
	[{ apiKey: 'same', unsubscribedKey: 'same' }, 'apiKey and unsubscribedKey are both "same"; they'],
	[{ walletCents: 1.5 }, 'walletCents is 1.5; it must be an integer of at least 0.'],
	[{ port: 70_000 }, 'port is 70000; it must be an integer from 0 to 65535.'],
	[{ maxImageBytes: 0 }, 'maxImageBytes is 0; it must be an integer of at least 1.'],
	[{ rateLimit: { calls: 0, seconds: 1 } }, 'calls is 0; it must be an integer from 1 to 1000000.'],
	[{ prices: { hd: -1 } }, 'prices.hd is -1; it must be an integer from 0 to 1000000.'],
])('does not start with %j', async (options, message) => {
	await expect(startSandbox(options)).rejects.toThrow(message);
});

describe('the header x-sandbox-fault', () => {
	const call = async (fault: string) =>
		await json('text2img', { text: 'x' }, { headers: { 'x-sandbox-fault': fault } });

	it('strikes this one request, before the armed faults', async () => {
		service.sandbox.arm({ fault: 'status', status: 500 });
		expect((await call('rate-limit')).status).toBe(429);
		expect((await call('{"fault":"status","status":418}')).status).toBe(418);
		expect((await json('text2img', { text: 'x' })).status).toBe(500);
		expect((await json('text2img', { text: 'x' })).status).toBe(200);
		expect((await call('5xx-after')).status).toBe(500);
		expect(service.sandbox.ledger).toHaveLength(2);
		await expect(call('refuse')).rejects.toThrow('fetch failed');
	});

	it('strikes a download', async () => {
		const url = (await json('text2img', { text: 'x' })).link();
		const headers = { 'x-sandbox-fault': 'download-404' };
		expect([(await send(url, { headers })).status, (await send(url)).status]).toStrictEqual([
			404, 200,
		]);
	});

	it.each([
		['nope', /^x-sandbox-fault: fault is "nope"; it must be the name of a fault: status/],
		['{"fault"', /^x-sandbox-fault: .*JSON/],
		[
			'truncated',
			/^x-sandbox-fault: The fault truncated applies to a download, not to text2img\.$/,
		],
		['{"fault":"status","times":2}', /^x-sandbox-fault: it applies to .+, so leave out times\.$/],
	])('is refused if it is %s', async (fault, message) => {
		expect((await call(fault)).outcome()).toStrictEqual([400, expect.stringMatching(message)]);
		expect(service.sandbox.ledger).toStrictEqual([]);
	});
});

it('GET /sandbox lists the tools with their qualities, as the specification has them', async () => {
	expect((await get('/sandbox')).json()).toMatchObject({
		tools: [
			{
				id: 'text2img',
				name: 'Generate Image',
				qualities: ['standard', 'hd', 'genius', 'super_genius'],
			},
			{
				id: 'background-remover',
				name: 'Remove Background',
				qualities: [],
			},
			{
				id: 'image-editor',
				name: 'Edit Photo',
				qualities: ['standard', 'genius', 'super_genius'],
			},
		],
		sizes: {
			standard: { Square: '512x512', Landscape: '1024x720' },
			hd: { Square: '1024x1024', Landscape: '1152x896' },
		},
	});
});

it('GET /openapi.json is a valid OpenAPI document with the parameters of each tool', async () => {
	interface Operation {
		requestBody: {
			content: Record<
				string,
				{ schema: { required: string[]; properties: Record<string, object> } }
			>;
		};
	}
	const document = (await get('/openapi.json')).json();
	await SwaggerParser.validate(structuredClone(document) as never);
	expect(document).toMatchObject({ openapi: '3.0.3', servers: [{ url: service.sandbox.url }] });
	expect(service.sandbox.requests).toStrictEqual([]);
	const paths = document['paths'] as Record<string, { post: Operation }>;
	for (const { id, parameters } of tools) {
		const { content } = paths[`/api/${id}`]?.post.requestBody ?? {};
		const { schema } = content?.['multipart/form-data'] ?? {};
		const required = parameters.filter((parameter) => parameter.required);
		expect(schema?.required).toStrictEqual(required.map(({ name }) => name));
		const expected = parameters.map(({ name, values, default: fallback }) => {
			const declared = { ...(values && { enum: values }), ...(fallback && { default: fallback }) };
			return [name, expect.objectContaining(declared) as unknown];
		});
		expect(Object.entries(schema?.properties ?? {})).toStrictEqual(expected);
	}
});

it('the docs list every fault, option and route', async () => {
	const read = (file: string) => readFileSync(`sandbox/${file}`, 'utf8');
	const docs = `${read('README.md')}${read('reference.md')}`.replace(/ +/g, ' ');
	const rows = Object.entries(faults).flatMap(([name, { description }]) => [
		`| \`${name}\` |`,
		description,
	]);
	const [, fields = ''] = /interface SandboxOptions \{(.+?)\n\}/s.exec(read('types.ts')) ?? [];
	const options = [...fields.matchAll(/^\t(\w+)\?:/gm)].map(([, name = '']) => `| \`${name}\` |`);
	const { routes } = (await get('/sandbox')).json() as { routes: object };
	const named = Object.keys(routes).map((route) => `\`${route}\``);

	expect([rows, options, named].map(({ length }) => length > 5)).toStrictEqual([true, true, true]);
	expect([...rows, ...options, ...named].filter((text) => !docs.includes(text))).toStrictEqual([]);
});

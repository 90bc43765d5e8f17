import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { run } from '../../../../scripts/tools/run.mjs';

/** Responds in place of a service on the internet. */
export type StandIn = (request: Request) => Promise<Response>;

/**
 * Starts a proxy that ends TLS itself and lets a stand-in respond. No request leaves the machine.
 * @param folder for its key and certificate
 * @param standIns by host
 * @returns environment variables for a program that should use the proxy
 */
export async function interceptHttps(folder: string, standIns: Readonly<Record<string, StandIn>>) {
	const { key, certificate } = await createCertificate(folder, Object.keys(standIns));
	const tls = createHttpsServer(
		{ key: await readFile(key), cert: await readFile(certificate) },
		(incoming, outgoing) => void respond(standIns, incoming, outgoing),
	);
	const proxy = createServer();
	proxy.on('connect', (_, socket) => {
		socket.on('error', () => socket.destroy());
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		tls.emit('connection', socket);
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	return {
		settings: {
			HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			NODE_EXTRA_CA_CERTS: certificate,
		},
		close: async () => {
			proxy.closeAllConnections();
			proxy.close();
			await once(proxy, 'close');
		},
	};
}

/** Creates a certificate that only a program trusts that is told to, and its key. */
async function createCertificate(folder: string, hosts: readonly string[]) {
	await mkdir(folder, { recursive: true });
	const key = join(folder, 'key.pem');
	const certificate = join(folder, 'certificate.pem');
	const names = hosts.map((host) => `DNS:${host}`).join(',');
	await run(
		'openssl',
		[
			'req',
			'-x509',
			'-newkey=rsa:2048',
			'-nodes',
			'-days=2',
			'-subj=/CN=Stand-ins',
			`-addext=subjectAltName=${names}`,
			`-keyout=${key}`,
			`-out=${certificate}`,
		],
		{ cwd: folder },
	);
	return { key, certificate };
}

async function respond(
	standIns: Readonly<Record<string, StandIn>>,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	const response = await responseTo(standIns, incoming);
	const body = Buffer.from(await response.arrayBuffer());
	outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

async function responseTo(
	standIns: Readonly<Record<string, StandIn>>,
	incoming: IncomingMessage,
): Promise<Response> {
	const { method = 'GET', url = '/', headers } = incoming;
	const { host = '' } = headers;
	const body = method === 'GET' ? null : await buffer(incoming);
	try {
		const request = new Request(`https://${host}${url}`, {
			method,
			headers: headers as Record<string, string>,
			body,
		});
		return (await standIns[host]?.(request)) ?? notFound(request);
	} catch (error) {
		return new Response(String(error), { status: 500 });
	}
}

/** What a stand-in responds to a request that it does not know. */
export function notFound({ method, url }: Request): Response {
	return new Response(`There is no stand-in for ${method} ${url}`, { status: 404 });
}

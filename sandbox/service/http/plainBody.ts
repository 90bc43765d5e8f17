import { TextDecoder } from 'node:util';
import { safeParse } from 'fast-content-type-parse';
import type { FastifyRequest } from 'fastify';
import type { RecordedRequest } from '../../types';
import { quote, Refusal } from './refusal';

export const maxTextBytes = 1024 * 1024;

/**
 * Reads a body that is not multipart.
 *
 * @returns its fields and their values
 * @throws Refusal 400, 413 or 415 if it cannot be read
 */
export async function readPlain(
	{ method, raw }: FastifyRequest,
	{ headers }: RecordedRequest,
): Promise<Iterable<[name: string, value: unknown]>> {
	if (method === 'GET' || method === 'HEAD') return [];
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of raw as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes <= maxTextBytes) chunks.push(chunk);
	}
	const compression = headers['content-encoding'] ?? 'identity';
	if (compression.toLowerCase() !== 'identity') {
		const advice = 'send the body without compression.';
		throw new Refusal(415, `Content-Encoding is ${quote(compression)}; ${advice}`);
	}
	if (bytes > maxTextBytes) throw new Refusal(413, 'A body without a file may be at most 1 MiB.');
	return bytes === 0 ? [] : parse(Buffer.concat(chunks), headers['content-type'] ?? '');
}

function parse(body: Buffer, contentType: string): Iterable<[name: string, value: unknown]> {
	const { type, parameters } = safeParse(contentType);
	if (/^multipart\/form-data *(;|$)/i.test(contentType)) {
		const advice = 'Let your HTTP client set this header: it chooses the boundary.';
		throw new Refusal(400, `Content-Type has no boundary. ${advice}`);
	}
	const isLatin1 = checkCharset(parameters['charset']) === 'latin1';
	if (type === 'application/x-www-form-urlencoded') {
		return isLatin1 ? latin1Form(body) : new URLSearchParams(utf8.decode(body));
	}
	if (type === 'application/json') {
		return parseJson(isLatin1 ? body.toString('latin1') : utf8.decode(body));
	}
	const sent = contentType === '' ? 'missing' : quote(type || contentType);
	const known = 'multipart/form-data, application/json, application/x-www-form-urlencoded';
	throw new Refusal(415, `Content-Type is ${sent}; it must be one of ${known}.`);
}

/** It drops a byte order mark, which .NET's clients send. */
const utf8 = new TextDecoder();

function checkCharset(charset = 'utf-8'): 'utf8' | 'latin1' {
	if (/^utf-?8$/i.test(charset)) return 'utf8';
	// Windows PowerShell 5.1 encodes text so.
	if (/^(iso-8859-1|latin1)$/i.test(charset)) return 'latin1';
	const advice = 'which the sandbox cannot read; send UTF-8.';
	throw new Refusal(415, `The charset is ${quote(charset)}, ${advice}`);
}

/** Reads `name=value&…` whose escapes are bytes of Latin-1. */
function latin1Form(body: Buffer): URLSearchParams {
	const inUtf8 = body
		.toString('latin1')
		.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
			encodeURIComponent(String.fromCharCode(parseInt(hex, 16))),
		);
	return new URLSearchParams(inUtf8);
}

function parseJson(body: string): [name: string, value: unknown][] {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		throw new Refusal(400, `The body is not JSON: ${quote(body)}.`);
	}
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return Object.entries(value);
	}
	throw new Refusal(400, `The JSON body must be an object, not ${quote(body)}.`);
}

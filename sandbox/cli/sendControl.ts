import { z } from 'zod';
import { reasonOf } from '../service/http/reasonOf';

const refusal = z.object({ err: z.string() });

/**
 * Sends a control request to a running sandbox.
 *
 * @returns the response, as indented JSON
 * @throws Error if no sandbox is running there, or with its message if it refuses the request
 */
export async function sendControl(
	address: string,
	method: string,
	path: string,
	body?: unknown,
): Promise<string> {
	const response = await fetch(new URL(`/sandbox/${path}`, address), {
		method,
		body: body === undefined ? null : JSON.stringify(body),
	}).catch((error: unknown) => {
		throw new Error(`No sandbox is running at ${address}: ${reasonOf(error)}.`);
	});
	const result: unknown = await response.json();
	if (response.ok) return JSON.stringify(result, null, 2);
	const { data } = refusal.safeParse(result);
	throw new Error(data?.err ?? `The sandbox returned HTTP ${response.status}.`);
}

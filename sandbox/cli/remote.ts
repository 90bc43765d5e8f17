import { reasonOf } from '../service/reasonOf';

/**
 * Asks a running sandbox for a change.
 *
 * @returns what it answers, as indented JSON
 * @throws Error when there is no sandbox, or in its words when it refuses
 */
export async function remote(
	address: string,
	method: string,
	path: string,
	body?: unknown,
): Promise<string> {
	const response = await fetch(new URL(`/sandbox/${path}`, address), {
		method,
		body: body === undefined ? null : JSON.stringify(body),
	}).catch((error: unknown) => {
		throw new Error(`There is no sandbox at ${address}: ${reasonOf(error)}.`);
	});
	const answer = (await response.json()) as { err?: string };
	if (!response.ok) throw new Error(answer.err ?? `The sandbox answered HTTP ${response.status}.`);
	return JSON.stringify(answer, null, 2);
}

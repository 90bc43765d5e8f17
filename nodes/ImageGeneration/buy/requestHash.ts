import { createHash } from 'crypto';

import type { JobRequest } from '../types';

/**
 * Hashes a request: its owner, tool, text parts and the bytes of its file.
 * @returns undefined if the file can't be read; the paid request then reports why.
 */
export async function requestHash(
	owner: string,
	{ model, fields, file }: JobRequest,
): Promise<string | undefined> {
	const hash = createHash('sha256').update(JSON.stringify([owner, model, fields]));
	try {
		for await (const chunk of file?.stream() ?? []) hash.update(chunk as Uint8Array);
		return hash.digest('base64url');
	} catch {
		return undefined;
	}
}

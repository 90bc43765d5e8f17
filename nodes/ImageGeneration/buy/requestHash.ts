import { createHash } from 'crypto';

import type { JobRequest } from '../types';

/**
 * Equal for equal requests of one owner: the same tool, text parts, and bytes of the file.
 * @returns undefined if the file can't be read; the paid call says why.
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

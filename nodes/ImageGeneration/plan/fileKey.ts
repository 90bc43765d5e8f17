import { createHash } from 'crypto';
import type { IBinaryData } from 'n8n-workflow';

/**
 * Identifies a file. n8n renames uploads from webhooks and forms during the execution, but the last
 * part of the id stays the same (2.40.3).
 */
export function fileKey({ id, data }: IBinaryData): string {
	if (id === undefined) return createHash('sha256').update(data).digest('hex');
	return id.split('/').at(-1) ?? id;
}

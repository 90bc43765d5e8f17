import { createHash } from 'crypto';
import type { IBinaryData } from 'n8n-workflow';

/**
 * Tells a file from others. n8n renames the files of a webhook or a form while it runs, from a
 * temporary name to the execution's; the last part of the id stays (seen on n8n 2.40.3).
 */
export function fileKey({ id, data }: IBinaryData): string {
	if (id === undefined) return createHash('sha256').update(data).digest('hex');
	return id.split('/').at(-1) ?? id;
}

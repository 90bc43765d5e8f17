import { hash } from 'crypto';

import { sha256Of } from '../images/imageFile';
import type { Job } from '../types';

/**
 * Identifies a job's request, whatever its run: by node, tool, text parts, and the bytes of the file.
 * @returns an empty text if n8n can't read the file; the paid request reports why
 */
export async function requestKey(node: string, { request }: Job): Promise<string> {
	const { model, textParts, file } = request;
	try {
		const parts = [node, model, textParts, file && (await sha256Of(file))];
		return hash('sha256', JSON.stringify(parts), 'base64url');
	} catch {
		return '';
	}
}

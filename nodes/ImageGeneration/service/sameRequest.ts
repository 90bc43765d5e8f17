import { hash } from 'crypto';

import { sha256Of } from '../images/imageFile';
import type { Job } from '../types';

/** The parameters that signed addresses change with each signature, by those that every address of the kind has. */
const SIGNATURES: ReadonlyArray<{ marks: readonly string[]; changes: RegExp }> = [
	{ marks: ['x-amz-signature'], changes: /^x-amz-/ },
	{ marks: ['x-goog-signature'], changes: /^x-goog-/ },
	// The older ones of Amazon and Google.
	{
		marks: ['signature', 'expires'],
		changes: /^(?:awsaccesskeyid|googleaccessid|signature|expires)$/,
	},
	// Azure.
	{ marks: ['sig', 'sv'], changes: /^(?:sv|se|st|sp|sr|spr|sig|ske|skt|skoid|sktid|sks|skv)$/ },
];

/**
 * Identifies what a job asks for, whatever its node and key: the tool, the text parts, and the file's size and first
 * bytes, which planning has read. Equal ones with a file are the same only if {@link isSameFile}.
 */
export function requestOf({ request }: Pick<Job, 'request'>): string {
	const { model, textParts, file } = request;
	const parts = Object.entries(textParts).map(([name, value]) => [
		name,
		name === 'image' ? withoutSignature(value) : value,
	]);
	const start = file && [file.size, file.start];
	return hash('sha256', JSON.stringify([model, parts.sort(), start]), 'base64url');
}

/** Whether a job asks for what would be the same again, because the tool makes nothing new (section 4.2). */
export function isCutOut({ request }: Pick<Job, 'request'>): boolean {
	return request.model === 'background-remover';
}

/** Identifies the tool and the text parts of a job, whatever its image is. */
export function instructionOf({ request: { model, textParts } }: Pick<Job, 'request'>): string {
	const parts = Object.entries(textParts).filter(([name]) => name !== 'image');
	return hash('sha256', JSON.stringify([model, parts.sort()]), 'base64url');
}

/** Whether a file has these bytes. Reads it only if no request has. @returns true if one of both is unknown */
export async function isSameFile(
	{ request }: Pick<Job, 'request'>,
	sha256: string,
): Promise<boolean> {
	if (request.file === undefined || sha256 === '') return true;
	return (await fileOf({ request })) === sha256;
}

/** SHA-256 of a job's file; empty without one, or if n8n can't read it: the paid request says why. */
export async function fileOf({ request: { file } }: Pick<Job, 'request'>): Promise<string> {
	if (file === undefined) return '';
	try {
		return await sha256Of(file);
	} catch {
		return '';
	}
}

function withoutSignature(address: string): string {
	if (!URL.canParse(address)) return address;
	const url = new URL(address);
	const names = [...url.searchParams.keys()];
	const has = (mark: string) => names.some((name) => name.toLowerCase() === mark);
	const signatures = SIGNATURES.filter(({ marks }) => marks.every(has));
	if (signatures.length === 0) return address;
	for (const name of names) {
		const isOfSignature = signatures.some(({ changes }) => changes.test(name.toLowerCase()));
		if (isOfSignature) url.searchParams.delete(name);
	}
	return url.href;
}

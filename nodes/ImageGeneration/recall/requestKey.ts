import { createHash } from 'crypto';

import { sha256Of } from '../images/imageFile';
import type { JobRequest } from '../types';

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
 * Identifies what a run asks for, whatever its workflow, its node and its key: the service, the tool, the text parts, and the
 * file's size and first bytes, which planning has read. Equal ones with a file are the same only if {@link isSameFile}.
 * @param origin Of the service: a sandbox's drawing is not the live service's picture.
 * @param number Counts from 1 among the equal requests of a run, so that every image keeps its place.
 */
export function requestKey(origin: string, request: JobRequest, number: number): string {
	const { model, textParts, file } = request;
	const parts = Object.entries(textParts).map(([name, value]) => [
		name,
		name === 'image' ? withoutSignature(value) : value,
	]);
	const start = file && [file.size, file.start];
	return identify(origin, model, parts.sort(), start, number);
}

/** Identifies the tool and the text parts of a request, whatever its image is. */
export function instructionOf({ model, textParts }: JobRequest): string {
	const parts = Object.entries(textParts).filter(([name]) => name !== 'image');
	return identify(model, parts.sort());
}

/** A short name for values. Works on every Node.js, because it comes before the message that one is too old. */
export function identify(...values: readonly unknown[]): string {
	return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

/** Whether a request asks for what would be the same again, because the tool makes nothing new (section 4.2). */
export function isCutOut({ model }: Pick<JobRequest, 'model'>): boolean {
	return model === 'background-remover';
}

/** Whether a request's file has these bytes. Reads it only if no request has. @returns true if one of both is unknown */
export async function isSameFile(request: JobRequest, sha256: string): Promise<boolean> {
	if (request.file === undefined || sha256 === '') return true;
	return (await fileOf(request)) === sha256;
}

/** The same, of a file that has been read if there is anything to compare it with. */
export function hasSameFile({ file }: JobRequest, sha256: string): boolean {
	return file === undefined || sha256 === '' || file.sha256 === sha256;
}

/** SHA-256 of a request's file; empty without one, or if n8n can't read it: the paid request says why. */
export async function fileOf({ file }: JobRequest): Promise<string> {
	if (file === undefined) return '';
	try {
		return await sha256Of(file);
	} catch {
		return '';
	}
}

/** An address without its signature, which changes with every run. */
export function withoutSignature(address: string): string {
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

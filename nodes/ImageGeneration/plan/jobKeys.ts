import { createHash, hash } from 'crypto';
import type { IBinaryData, INode } from 'n8n-workflow';

import { additionalFieldsOption } from '../fields/additionalFields';
import type { Operation } from '../operations/operation';
import type { JobRequest } from '../types';
import type { Planning } from './planning';

/** What identifies a job within its run and item. */
interface KeyParts {
	operation: Operation;
	request: JobRequest;
	/** What identifies its input image. */
	images: readonly string[];
	/** Counts from 1. */
	copy: number;
}

/** Parameters that select images and copies, which the key already contains. */
const SELECTING = ['inputType', 'binaryPropertyName', 'imageUrl', 'numberOfImages'];
// 96 bits: a collision among 10,000 jobs is less likely than a memory fault.
const LENGTH = 16;

/**
 * Identifies a job within the execution by its parameters as written, before expressions are
 * evaluated: `$now` in a prompt does not make it a different job, an edit does. There is one key for
 * each way to recognize the input image; all but the first apply only while 'Image URL' is as it was.
 *
 * For a tool the evaluated values count, because the agent sets new ones with each call.
 */
export function jobKeys(run: Planning, itemIndex: number, parts: KeyParts): string[] {
	const { operation, request, images, copy } = parts;
	const shape = run.isTool ? request.fields : rawParametersOf(run.node, operation);
	return images.map((image, index) => {
		const written = index === 0 ? [] : [run.node.parameters.imageUrl];
		const identity = [itemIndex, operation.option.value, image, copy, shape, ...written];
		return `${run.runName}.${shortHash(identity)}`;
	});
}

function shortHash(value: unknown): string {
	return hash('sha256', JSON.stringify(value), 'base64url').slice(0, LENGTH);
}

function rawParametersOf(node: INode, { fields, options }: Operation): unknown {
	const { options: rawOptions, ...rawParameters } = node.parameters;
	const valuesOf = (names: string[], values: unknown) =>
		names
			.filter((name) => !SELECTING.includes(name))
			.map((name) => (Object(values) as Record<string, unknown>)[name] ?? null);
	return [
		valuesOf(Object.keys(fields), rawParameters),
		valuesOf([...Object.keys(options), ...Object.keys(additionalFieldsOption)], rawOptions),
	];
}

/**
 * Identifies a file. n8n renames uploads from webhooks and forms during the execution, but the last
 * part of the id stays the same (2.40.3).
 */
export function fileKey({ id, data }: IBinaryData): string {
	if (id === undefined) return createHash('sha256').update(data).digest('hex');
	return id.split('/').at(-1) ?? id;
}

import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import type { Run } from '../run';
import type { JobRequest } from '../types';

/** What a job's key is made of beside its run and its item. */
interface KeyParts {
	operation: Operation;
	request: JobRequest;
	/** The key of its input image. */
	image: string | undefined;
	/** Counts from 1. */
	copy: number;
}

/** They choose which images there are, and how many; the key of the image and the copy stand for them. */
const CHOOSING = ['inputType', 'binaryPropertyName', 'numberOfImages'];
// 96 bits: for 10,000 jobs, two alike are less likely than a fault of the memory.
const LENGTH = 16;

/**
 * Tells a job from all others of the execution. What counts is how its parameters are written, not
 * what their expressions give: `$now` or chance in a prompt makes no other job of it, an edit does.
 *
 * An agent writes the parameters of a tool anew for each call, so there their values count.
 */
export function jobKey(run: Run, itemIndex: number, parts: KeyParts): string {
	const { operation, request, image, copy } = parts;
	const shape = run.isTool ? request.fields : writtenParameters(run, operation);
	return createHash('sha256')
		.update(JSON.stringify([run.name, itemIndex, operation.option.value, image, copy, shape]))
		.digest('base64url')
		.slice(0, LENGTH);
}

function writtenParameters({ node }: Run, { fields, options = [] }: Operation): unknown {
	const { options: given, ...parameters } = node.parameters;
	const written = (list: INodeProperties[], values: unknown) =>
		list
			.filter(({ name }) => !CHOOSING.includes(name))
			.map(({ name }) => (Object(values) as Record<string, unknown>)[name] ?? null);
	return [written(fields, parameters), written(options, given)];
}

import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { imageFile } from '../../nodes/ImageGeneration/images/imageFile';
import { BadInput } from '../../nodes/ImageGeneration/failures/failures';
import { operationOf } from '../../nodes/ImageGeneration/operations';
import type { JobRequest } from '../../nodes/ImageGeneration/types';
import { tools } from '../../sandbox/tools';
import { settle } from '../../sandbox/tools/parameters';
import { fuzz, SEED } from '../support/fuzz';
import { randomItem, type RandomItem } from './parameters';
import { complaints } from './specification';

/** What an item comes to before any call: a request, or a sentence for the user. */
async function checked(item: RandomItem): Promise<JobRequest | string> {
	try {
		const read = (name: string): unknown => item[name as keyof RandomItem];
		const request = operationOf(item.operation).request({
			read,
			options: item.options as IDataObject,
			binaryOf: () => item.binary,
		});
		// An image in memory needs none of n8n's helpers.
		if (request.image) await imageFile({} as IExecuteFunctions['helpers'], request.image);
		return request;
	} catch (error) {
		if (error instanceof BadInput) return error.message;
		throw error;
	}
}

/** What is wrong with what an item came to, by the specification and by the sandbox's own checks. */
function faultsOf(request: JobRequest | string): string[] {
	if (typeof request === 'string') {
		return /^[A-Z][^]+\.$/.test(request) ? [] : [`no sentence: ${request}`];
	}
	const { model, fields, image } = request;
	const hasFile = image !== undefined;
	const parameters = tools.find(({ id }) => id === model)?.parameters ?? [];
	try {
		settle(parameters, fields, hasFile);
	} catch (error) {
		return [`refused by the sandbox: ${String(error)}`];
	}
	return complaints(model, fields, hasFile);
}

describe(`ten thousand random items (seed ${SEED})`, () => {
	it('are each a call that the specification and the sandbox allow, or a sentence', async () => {
		let allowed = 0;
		await fc.assert(
			fc.asyncProperty(randomItem, async (item) => {
				const request = await checked(item);
				if (typeof request !== 'string') allowed++;

				expect(faultsOf(request)).toEqual([]);
			}),
			fuzz(10_000),
		);

		// Both sides of the promise are looked at.
		expect(allowed).toBeGreaterThan(0);
	});

	it('are not refused where nothing is wrong with them', async () => {
		const sane = fc.record({
			operation: fc.constantFrom('generate', 'edit'),
			prompt: fc.string({ unit: 'grapheme' }).map((text) => `A ${text}`),
			version: fc.constantFrom('standard', 'genius', 'super_genius'),
			resolution: fc.constantFrom('2k', '4k'),
			geniusPreference: fc.constantFrom('', 'anime', 'cinematic', 'graphic', 'photography'),
			size: fc.constantFrom('custom', '512x512', '1024x720', '832x1216'),
			width: fc.integer({ min: 4, max: 48 }).map((steps) => steps * 32),
			height: fc.integer({ min: 4, max: 48 }).map((steps) => String(steps * 32)),
			inputType: fc.constant('url'),
			imageUrl: fc.webUrl(),
			options: fc.constant({}),
			binary: fc.constant({ data: '', mimeType: '' }),
		});
		await fc.assert(
			fc.asyncProperty(sane, async (item) => {
				expect(await checked(item)).toMatchObject({ fields: { text: item.prompt } });
			}),
			fuzz(2000),
		);
	});
});

import type { IExecuteFunctions } from 'n8n-workflow';

import { openLedger } from '../../nodes/ImageGeneration/buy/ledger';
import type { ImageSource, JobRequest } from '../../nodes/ImageGeneration/types';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const REQUEST: JobRequest = { model: 'image-editor', fields: { text: 'Blur it' } };

/** Stands for an agent's loop, which counts each try as a run; Retry On Fail is on unless told. */
function tryOf(store: object, runIndex: number, isTool = false, retryOnFail = true) {
	const context = {
		getNode: () => ({ retryOnFail }),
		getContext: () => store,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	};
	return openLedger(context as unknown as IExecuteFunctions, isTool);
}

const stored = (id: string): ImageSource => ({
	kind: 'binary',
	binary: { id, data: 'filesystem-v2', mimeType: 'image/png' },
});
const inMemory = (data: string): ImageSource => ({
	kind: 'binary',
	binary: { data, mimeType: 'image/png' },
});
const inAddress = (base64: string): ImageSource => ({
	kind: 'dataUrl',
	base64,
	mimeType: 'image/png',
});

describe('what an earlier try has paid for', () => {
	it('is taken up by the next try of the same run', () => {
		const store = {};
		tryOf(store, 0).add(3, REQUEST, { value: JOB });

		expect(tryOf(store, 0).find(3, REQUEST)).toEqual({ value: JOB });
	});

	it('is taken up by an agent’s next try, though n8n counts another run', () => {
		const store = {};
		tryOf(store, 0, true).add(0, REQUEST, { value: JOB });

		expect(tryOf(store, 1, true).find(0, REQUEST)).toEqual({ value: JOB });
	});

	it.each<[what: string, index: number, request: JobRequest, run: number]>([
		['item', 1, REQUEST, 0],
		['run', 0, REQUEST, 1],
		['model', 0, { ...REQUEST, model: 'text2img' }, 0],
		['text', 0, { ...REQUEST, fields: { text: 'Blur it more' } }, 0],
	])('is not taken for another %s', (_what, index, request, run) => {
		const store = {};
		tryOf(store, 0).add(0, REQUEST, { value: JOB });
		tryOf(store, 0).add(2, REQUEST, { failure: 'Cut off' });

		expect(tryOf(store, run).find(index, request)).toBeUndefined();
	});

	it.each<[what: string, image: ImageSource, other: ImageSource | undefined]>([
		['in n8n’s storage', stored('a'), stored('b')],
		['in memory', inMemory('AAAA'), inMemory('BBBB')],
		['in a data: address', inAddress('AAAA'), inAddress('BBBB')],
		['that was left out', stored('a'), undefined],
	])('is not taken for another image %s', (_what, image, other) => {
		const earlier = tryOf({}, 0);
		earlier.add(0, { ...REQUEST, image }, { value: JOB });

		expect(earlier.find(0, { ...REQUEST, ...(other && { image: other }) })).toBeUndefined();
		expect(earlier.find(0, { ...REQUEST, image })).toEqual({ value: JOB });
	});

	it('stays where another item ends otherwise', () => {
		const earlier = tryOf({}, 0);
		earlier.add(0, REQUEST, { value: JOB });
		earlier.add(1, REQUEST, { value: { ...JOB, id: 'another' } });
		earlier.add(2, REQUEST, { failure: 'Cut off' });
		earlier.add(3, REQUEST, { failure: undefined });

		expect([0, 1, 2, 3].map((index) => earlier.find(index, REQUEST))).toEqual([
			{ value: JOB },
			{ value: { ...JOB, id: 'another' } },
			{ failure: 'Cut off' },
			{ failure: undefined },
		]);
	});

	it('is forgotten once all is delivered', () => {
		const store = {};
		tryOf(store, 0).add(0, REQUEST, { value: JOB });
		tryOf(store, 0).clear();

		expect(store).toEqual({});
		expect(tryOf(store, 0).isEmpty()).toBe(true);
	});

	it.each([[{ value: JOB }], [{ failure: 'Cut off' }]])('is something after %j', (outcome) => {
		const earlier = tryOf({}, 0);
		expect(earlier.isEmpty()).toBe(true);
		earlier.add(0, REQUEST, outcome);

		expect(earlier.isEmpty()).toBe(false);
	});

	it('is not kept where Retry On Fail is off', () => {
		const store = {};
		const earlier = tryOf(store, 0, false, false);
		earlier.add(0, REQUEST, { value: JOB });
		expect(earlier.isEmpty()).toBe(true);
		earlier.clear();

		expect(earlier.find(0, REQUEST)).toBeUndefined();
		expect(store).toEqual({});
	});
});

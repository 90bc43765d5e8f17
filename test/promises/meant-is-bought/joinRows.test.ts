import { Readable } from 'node:stream';

import type { InputFile } from '../../../nodes/ImageGeneration/images/imageFile';
import { joinRows } from '../../../nodes/ImageGeneration/plan/joinRows';
import type { PlannedRow } from '../../../nodes/ImageGeneration/plan/planItem';
import { requestKey } from '../../../nodes/ImageGeneration/recall/requestKey';
import type { JobRequest } from '../../../nodes/ImageGeneration/types';
import { invalidRow, rowWith } from '../../support/jobs';

const ORIGIN = 'https://example.com';

/** What each item asks for: one letter for each row, with spaces between them. Equal letters ask for the same. */
function planned(items: string[], requestOf: (letter: string) => JobRequest): PlannedRow[] {
	return items.flatMap((letters, itemIndex) =>
		letters.split(' ').map((letter, place) => ({
			row: rowWith({ itemIndex, key: `${itemIndex}.${place}` }),
			asks: { request: requestOf(letter), isFixed: false, timeout: 600 },
		})),
	);
}

const prompt = (text: string): JobRequest => ({ model: 'text2img', textParts: { text } });
const cutOut = (name: string): JobRequest => ({
	model: 'background-remover',
	textParts: { image: `https://example.com/${name}` },
});

const NOTHING = () => undefined;

/** The jobs of rows: the places of their rows, with the number of each among equal requests. */
async function jobsOf(
	rows: PlannedRow[],
	entryOf: Parameters<typeof joinRows>[2] = NOTHING,
): Promise<string[]> {
	const { jobs } = await joinRows(rows, ORIGIN, entryOf);
	return jobs.map((job) => {
		const numbers = [1, 2, 3, 4].filter(
			(number) => requestKey(ORIGIN, job.request, number) === job.requestKey,
		);
		return `${job.rows.map(({ key }) => key).join(' ')} #${numbers.join()}`;
	});
}

describe('one image each', () => {
	it.each<[what: string, items: string[], jobs: string[]]>([
		['of all items that ask for the same', ['a', 'a', 'a'], ['0.0 1.0 2.0 #1']],
		['of two copies for all items', ['a a', 'a a'], ['0.0 1.0 #1', '0.1 1.1 #2']],
		['of two copies for one item', ['a a'], ['0.0 #1', '0.1 #2']],
		['of the same images for all items', ['a b', 'a b'], ['0.0 1.0 #1', '0.1 1.1 #1']],
		['of two equal titles among others', ['a', 'b', 'a'], ['0.0 #1', '1.0 #1', '2.0 #2']],
		['of items that ask for different numbers', ['a', 'a a'], ['0.0 #1', '1.0 #2', '1.1 #3']],
		[
			'of the same images in another order',
			['a b', 'b a'],
			['0.0 #1', '0.1 #1', '1.0 #2', '1.1 #2'],
		],
		['of one item', ['a'], ['0.0 #1']],
		['of no item', [], []],
	])('%s', async (_what, items, jobs) => {
		expect(await jobsOf(planned(items, prompt))).toStrictEqual(jobs);
	});

	it.each<[what: string, items: string[], jobs: string[]]>([
		['of equal cut-outs among others', ['a', 'b', 'a'], ['0.0 2.0 #1', '1.0 #1']],
		['of equal cut-outs in one item', ['a b a'], ['0.0 0.2 #1', '0.1 #1']],
		[
			'of equal cut-outs of all items, wherever they stand',
			['a b', 'b a'],
			['0.0 1.1 #1', '0.1 1.0 #1'],
		],
	])('%s', async (_what, items, jobs) => {
		expect(await jobsOf(planned(items, cutOut))).toStrictEqual(jobs);
	});
});

it('an invalid item keeps its row, has no job, and does not count among all items', async () => {
	const [first, second] = planned(['a', 'a'], prompt) as [PlannedRow, PlannedRow];
	const invalid = invalidRow({ kind: 'bad input', message: 'Empty', advice: '' }, { itemIndex: 2 });
	const { rows, jobs } = await joinRows([first, invalid, second], ORIGIN, NOTHING);

	expect(rows).toStrictEqual([first.row, invalid, second.row]);
	expect(jobs.map((job) => job.rows)).toStrictEqual([[first.row, second.row]]);
});

it('rows of which the execution has an image already are apart from those of which it has none', async () => {
	const bought: Record<string, string> = { '0.0': 'entry 1', '1.0': 'entry 1', '3.0': 'entry 2' };

	expect(
		await jobsOf(planned(['a', 'a', 'a', 'a', 'a'], prompt), ({ key }) => bought[key]),
	).toStrictEqual(['0.0 1.0 #1', '2.0 4.0 #1', '3.0 #1']);
});

describe('files', () => {
	/** A file that begins as all do. */
	function fileOf(end: string, open: () => Promise<Readable>): JobRequest {
		const file: InputFile = {
			name: `${end}.png`,
			type: 'image/png',
			size: end.length,
			start: 'same',
			open,
			sha256: undefined,
		};
		return { model: 'background-remover', textParts: {}, file };
	}
	const bytes = (end: string) => jest.fn(async () => Readable.from([Buffer.from(end)]));

	it('that begin alike are compared by all their bytes', async () => {
		const rows = planned(['a', 'b', 'a'], (letter) => fileOf(letter, bytes(letter)));

		expect(await jobsOf(rows)).toStrictEqual(['0.0 2.0 #1', '1.0 #1']);
	});

	it('are not read if no other one begins like them', async () => {
		const open = bytes('a');
		await jobsOf(planned(['a'], (letter) => fileOf(letter, open)));

		expect(open).not.toHaveBeenCalled();
	});

	it('that n8n can’t read are like no other one', async () => {
		const lost = async () => await Promise.reject(new Error('Lost'));
		const rows = planned(['a', 'a'], (letter) => fileOf(letter, lost));

		expect(await jobsOf(rows)).toHaveLength(2);
	});
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

import { NODE, type EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import {
	CONTINUE,
	fox,
	generate,
	IN_ORDER,
	itemsOf,
	marked,
	namesOf,
	removeBackground,
	TWO_ATTEMPTS,
} from '../support/runs';
import { text } from '../support/text';

const fixture = useFixture({ allowance: 10_000 });

/** The output items of all runs of an execution. */
const rowsOf = ({ run }: EngineResult): INodeExecutionData[] =>
	(run.data.resultData.runData[NODE] ?? []).flatMap(({ data }) => data?.main?.[0] ?? []);

/**
 * Saves images one after the other under their `fileName`, as a node that writes files does.
 * @returns the bytes of the files that are there in the end, by name
 */
async function saved(rows: INodeExecutionData[]): Promise<Map<string, Buffer>> {
	const folder = mkdtempSync(join('.cache', 'saved-'));
	for (const { json, binary } of rows) {
		writeFileSync(join(folder, text(json.fileName)), await fixture.engine.bytesOf(binary?.data));
	}
	const files = new Map(
		readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const),
	);
	rmSync(folder, { recursive: true });
	return files;
}

describe('images saved under their file names are all there:', () => {
	it('twenty-five items of one prompt in batches of ten', async () => {
		const batch = (count: number) => Array<INodeExecutionData>(count).fill({ json: {} });
		const rows = rowsOf(
			await fixture.run(fox(), { items: batch(10), rounds: [batch(10), batch(5)] }),
		);

		expect((await saved(rows)).size).toBe(25);
		expect(fixture.charged()).toBe(25);
	});

	it.each([
		['input files of one name', removeBackground(), 'me-no-background.png'],
		['one File Name', removeBackground({ options: { fileName: 'cut/out' } }), 'cut-out.png'],
	])('%s, in a loop of batches', async (_what, parameters, first) => {
		const photo = await fixture.photo('me.jpg');
		const result = await fixture.run(parameters, {
			items: [photo, photo],
			rounds: [[photo], [photo]],
		});

		const [stem, extension] = first.split('.');
		expect(namesOf(rowsOf(result))).toStrictEqual([
			first,
			...[2, 3, 4].map((number) => `${stem}-${number}.${extension}`),
		]);
	});
});

describe('the name of an image made from a prompt is the same', () => {
	it.each([
		['downloaded', true],
		['only linked', false],
	])('if it is reused %s', async (_what, download) => {
		const [first] = (await fixture.run(fox())).rows;
		const again = await fixture.run({ ...fox({ reuse: 'always' }), download });

		expect(first?.json.fileName).toStrictEqual(marked('a-fox'));
		expect(again.rows[0]?.json.fileName).toBe(first?.json.fileName);
		expect(fixture.charged()).toBe(1);
	});

	it('in a Dry Run that finds it, which has no name for one that it would buy', async () => {
		const [first] = (await fixture.run(fox())).rows;
		const dry = generate({ dryRun: true, reuse: 'always' });
		const { rows } = await fixture.run(dry, { items: itemsOf('A fox', 'An owl') });

		expect(rows.map(({ json }) => json.fileName)).toStrictEqual([first?.json.fileName, null]);
	});
});

describe('the number in a name', () => {
	const named = removeBackground({ options: { ...IN_ORDER, fileName: 'photo' } });
	/** Items with different images. */
	const photos = async (...names: string[]) =>
		await Promise.all(
			names.map(async (name) => ({ json: {}, binary: { data: await fixture.gif(name) } })),
		);

	it('is the same in the next attempt of Retry On Fail', async () => {
		const items = await photos('one');
		const rounds = [await photos('two', 'three')];
		fixture.sandbox.arm({ fault: 'status', status: 400, after: 2 });
		const result = await fixture.run(named, { items, rounds, node: TWO_ATTEMPTS });

		expect(fixture.struck()).toBe(1);
		expect(namesOf(rowsOf(result))).toStrictEqual(['photo.png', 'photo-2.png', 'photo-3.png']);
	});

	it('goes on after the rounds that ended before Retry', async () => {
		const items = await photos('one');
		const rounds = [await photos('two'), await photos('three')];
		fixture.sandbox.arm({ fault: 'status', status: 400, after: 2 });
		const failed = await fixture.run(named, { items, rounds });
		expect(failed.error).toBeDefined();
		const again = await fixture.retry(failed, named, { items: [], rounds: [[]] });

		expect(namesOf(rowsOf(again))).toStrictEqual(['photo.png', 'photo-2.png', 'photo-3.png']);
		expect(fixture.charged()).toBe(3);
	});

	it('is that of its item, whatever becomes of the others', async () => {
		const items = await photos('one', 'two');
		fixture.sandbox.arm({ fault: 'status', status: 400, times: 1 });
		const { rows } = await fixture.run(named, { items, node: CONTINUE });

		expect(namesOf(rows)).toStrictEqual([undefined, 'photo-2.png']);
	});
});

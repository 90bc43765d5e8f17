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
import { runWorkflow, TYPE } from '../support/runWorkflow';
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

const different = (files: Map<string, Buffer>) =>
	new Set([...files.values()].map((bytes) => bytes.toString('base64'))).size;

describe('images saved under their file names are all there:', () => {
	const colors = ['red', 'blue', 'green'];
	const shoe = (color: string) => ({
		json: { title: `A professional product photo of a ${color} running shoe on white` },
	});

	it('three prompts of one template in a loop of one', async () => {
		const [items = [], ...rounds] = colors.map((color) => [shoe(color)]);
		const rows = rowsOf(await fixture.run(generate(), { items, rounds }));

		const files = await saved(rows);
		expect([...files.keys()].sort()).toStrictEqual(
			[...colors]
				.sort()
				.map((color) => marked(`a-professional-product-photo-of-a-${color}-running`)),
		);
		expect(different(files)).toBe(3);
	});

	it('prompts that differ only at their end', async () => {
		const long = 'One two three four five six seven eight';
		const { rows } = await fixture.run(generate(), { items: itemsOf(`${long} a`, `${long} b`) });

		expect(different(await saved(rows))).toBe(2);
	});

	it('twenty-five items of one prompt in batches of ten', async () => {
		const batch = (count: number) => Array<INodeExecutionData>(count).fill({ json: {} });
		const rows = rowsOf(
			await fixture.run(fox(), { items: batch(10), rounds: [batch(10), batch(5)] }),
		);

		expect((await saved(rows)).size).toBe(25);
		expect(fixture.charged()).toBe(25);
	});

	it('three executions with one prompt', async () => {
		const names: unknown[] = [];
		for (let n = 0; n < 3; n++) names.push(...namesOf((await fixture.run(fox())).rows));

		expect(new Set(names).size).toBe(3);
		expect(names).toStrictEqual(Array(3).fill(marked('a-fox')));
	});

	it('two nodes with one prompt', async () => {
		const node = (name: string) => ({
			id: `${name} of ${expect.getState().currentTestName}`,
			name,
			type: TYPE,
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: fox({ includeInputFields: true }),
			credentials: { imageGenerationApi: { id: '1', name: 'Sandbox' } },
		});
		const step = (name: string) => ({ ...node(name), type: name, parameters: {} });
		const { received } = await runWorkflow(
			{
				nodes: [step('Start'), node('One'), node('Two'), step('Save One'), step('Save Two')],
				connections: {
					Start: { main: [['One', 'Two'].map((name) => ({ node: name, type: 'main', index: 0 }))] },
					One: { main: [[{ node: 'Save One', type: 'main', index: 0 }]] },
					Two: { main: [[{ node: 'Save Two', type: 'main', index: 0 }]] },
				},
				settings: { executionOrder: 'v1' },
			},
			fixture.credential,
			{ Start: () => [[{ json: {} }]] },
		);

		const rows = ['Save One', 'Save Two'].flatMap((name) => received.get(name) ?? []);
		expect((await saved(rows)).size).toBe(2);
	});

	it('copies of an image whose prompt has no letters', async () => {
		const { rows } = await fixture.run(generate({ numberOfImages: 2 }), { items: itemsOf('❤️') });

		const names = [...(await saved(rows)).keys()];
		expect(names).toStrictEqual(Array(2).fill(marked('image')));
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
	/** Fails at the first download, after the image was bought. */
	const loseDownload = () => fixture.sandbox.arm({ fault: 'download-404' });

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

	it('when Retry finds it', async () => {
		const items = itemsOf('A fox', 'Two');
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const failed = await fixture.run(generate(IN_ORDER), { items });
		const link = fixture.charges()[0]?.outputUrl;
		const again = await fixture.retry(failed, generate(IN_ORDER), { items });
		const linked = await fixture.run({ ...fox({ reuse: 'always' }), download: false });

		expect(linked.rows[0]?.json.output_url).toBe(link);
		expect(again.rows[0]?.json.fileName).toBe(linked.rows[0]?.json.fileName);
	});

	it('in the next attempt of Retry On Fail', async () => {
		loseDownload();
		const { rows } = await fixture.run(fox(), { node: { ...TWO_ATTEMPTS, ...CONTINUE } });
		const linked = await fixture.run({ ...fox({ reuse: 'always' }), download: false });

		expect(namesOf(rows)).toStrictEqual([linked.rows[0]?.json.fileName]);
		expect(fixture.charged()).toBe(1);
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

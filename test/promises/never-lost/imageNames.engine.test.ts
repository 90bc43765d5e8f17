import type { INodeExecutionData } from 'n8n-workflow';

import { NODE, type EngineResult } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import {
	CONTINUE,
	fox,
	IN_ORDER,
	marked,
	namesOf,
	removeBackground,
	TWO_ATTEMPTS,
} from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });

/** The output items of all runs of an execution. */
const rowsOf = ({ run }: EngineResult): INodeExecutionData[] =>
	(run.data.resultData.runData[NODE] ?? []).flatMap(({ data }) => data?.main?.[0] ?? []);

/** The images by `fileName`, under which a node that writes files saves them one after the other. */
async function saved(rows: INodeExecutionData[]): Promise<Map<string, Buffer>> {
	const files = new Map<string, Buffer>();
	for (const { json, binary } of rows) {
		// Windows and macOS take names that differ only in case for the same.
		const name = (json.fileName as string).toLowerCase();
		const bytes = await fixture.engine.bytesOf(binary?.data);
		// No image is lost under another one.
		expect(bytes.equals(files.get(name) ?? bytes)).toBe(true);
		files.set(name, bytes);
	}
	return files;
}

describe('images saved under their file names are all there:', () => {
	it('twenty-five items of one prompt in batches of ten, an image for each batch', async () => {
		const batch = (count: number) => Array<INodeExecutionData>(count).fill({ json: {} });
		const rows = rowsOf(
			await fixture.run(fox(), { items: batch(10), rounds: [batch(10), batch(5)] }),
		);

		expect(rows).toHaveLength(25);
		expect((await saved(rows)).size).toBe(3);
		expect(fixture.charged()).toBe(3);
	});

	it('input files of one name, in a loop of batches', async () => {
		const photo = async (content: string) => ({
			json: {},
			binary: { data: await fixture.file('me.jpg', content) },
		});
		const result = await fixture.run(removeBackground(), {
			items: [await photo('one'), await photo('two')],
			rounds: [[await photo('three')]],
		});

		expect(namesOf(rowsOf(result))).toStrictEqual(Array(3).fill(marked('me-no-background', 'png')));
		expect((await saved(rowsOf(result))).size).toBe(3);
	});
});

it('an image made from an image keeps the whole name of that one', async () => {
	const [drawn] = (await fixture.run(fox())).rows;
	const items = [{ json: {}, binary: { data: drawn?.binary?.data ?? {} } }] as INodeExecutionData[];
	const [cutOut] = (await fixture.run(removeBackground(), { items })).rows;

	const stem = (drawn?.json.fileName as string).replace('.jpg', '');
	expect(cutOut?.json.fileName).toStrictEqual(marked(`${stem}-no-background`, 'png'));
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
});

describe('the number in a name', () => {
	const named = removeBackground({ options: { ...IN_ORDER, fileName: 'photo' } });
	/** Items with different images. */
	const photos = async (...names: string[]) =>
		await Promise.all(
			names.map(async (name) => ({ json: {}, binary: { data: await fixture.gif(name) } })),
		);

	it('is the same in the next attempt of Retry On Fail', async () => {
		const items = await photos('one', 'two');
		fixture.sandbox.arm({ fault: 'status', status: 400, after: 1 });
		const result = await fixture.run(named, { items, node: TWO_ATTEMPTS });

		expect(fixture.struck()).toBe(1);
		expect(namesOf(rowsOf(result))).toStrictEqual(['photo.png', 'photo-2.png']);
	});

	it('is that of its item, whatever becomes of the others', async () => {
		const items = await photos('one', 'two');
		fixture.sandbox.arm({ fault: 'status', status: 400, times: 1 });
		const { rows } = await fixture.run(named, { items, node: CONTINUE });

		expect(namesOf(rows)).toStrictEqual([undefined, 'photo-2.png']);
	});
});

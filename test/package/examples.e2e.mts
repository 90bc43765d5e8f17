import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { openPage } from '../../scripts/host/openEditor.mjs';
import { root } from '../../scripts/tools/checkout.mjs';
import { execute, setUp, shipped, start } from '../support/wholeN8n/examples.mjs';
import { assertSuccess, rowsOf } from '../support/wholeN8n/execution.mjs';
import { threePhotos, useFixture } from '../support/wholeN8n/fixture.mjs';
import { webhook } from '../support/wholeN8n/nodes.mjs';
import { rowsOfTable } from '../support/wholeN8n/tables.mjs';
import { blogPostCase } from './blogPost.cases.mjs';
import { onWhiteCases } from './onWhite.cases.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`The examples in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `examples-${hostName}` });

		// n8n 1.123.81 runs nodes with an unknown version, but its editor cannot open them.
		it('use only nodes and versions that this n8n has', async () => {
			const { url, cookie } = fixture.session;
			const answer = await fetch(`${url}/types/nodes.json`, { headers: { cookie } });
			const types = (await answer.json()) as { name: string; version: number | number[] }[];
			const known = new Set(
				types.flatMap(({ name, version }) => [version].flat().map((each) => `${name} ${each}`)),
			);

			const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));
			assert.ok(files.length > 1);
			// Their tables are new in n8n 2.
			const onlyN8n2 = ['purchase-log-report.json', 'telegram-bot.json'];
			const forThis = files.filter((file) => hostName === 'n8n-2' || !onlyN8n2.includes(file));
			const used = forThis.flatMap((file) =>
				shipped(fixture, file).nodes.map(({ type, typeVersion }) => [
					`${type} ${typeVersion}`,
					file,
				]),
			);
			assert.deepEqual(
				used.filter(([node = '']) => !known.has(node)),
				[],
			);
		});

		const run = async (file: string) => await start(fixture, shipped(fixture, file));
		const assertSaved = async (...names: Array<string | RegExp>) => {
			const files = await readdir(fixture.files);
			for (const name of names) {
				const isIt = (file: string) => (typeof name === 'string' ? file === name : name.test(file));
				assert.ok(files.some(isIt), files.join());
			}
		};

		it('Folder with Error Report saves the cut-out and reports the file that is not an image', async () => {
			await run('folder-with-error-report.json');

			await assertSaved(/^astronaut-no-background-\w{6}\.png$/);
			const report = await readFile(join(fixture.files, 'not-done.csv'), 'utf8');
			const [head = '', row = '', ...more] = report.trim().split('\n');
			assert.equal(head.replace('\ufeff', ''), 'file,link,reason,whatToDo');
			assert.match(row, /^README\.md,,.*not an image/);
			assert.deepEqual(more, []);
			assert.equal(fixture.charged().length, 1);
		});

		it('Webhook Image API responds with the exact bytes that the service made, and to a bad call with 400 and the reason, uncharged', async () => {
			await fixture.api.publish(shipped(fixture, 'webhook-image-api.json'), '/webhook/images');
			const good = await fixture.call('images', { prompt: 'a red fox', size: '256x128' });
			const bad = await fixture.call('images', { prompt: 'a red fox', size: 'huge' });

			assert.equal(good.status, 200);
			assert.equal(good.headers.get('content-type'), 'image/jpeg');
			const [job, ...others] = fixture.charged();
			assert.deepEqual(others, []);
			const bytes = Buffer.from(await good.arrayBuffer());
			assert.deepEqual(bytes, await fixture.sandbox.output(job?.jobId ?? ''));
			assert.equal(bad.status, 400);
			assert.match(((await bad.json()) as { error: string }).error, /^'Size' is "huge"/);
		});

		it('Product Photos from a Form returns one ZIP file with the cut-outs of all photos, and names the PDF among them', async (context) => {
			const path = 'product-photos';
			const body = shipped(fixture, 'product-photos-from-a-form.json');
			await fixture.api.publish(body, `/form/${path}`);
			const page = await openPage();
			context.after(() => page.context().browser()?.close());
			page.setDefaultTimeout(60_000);
			await page.goto(`${fixture.n8n.url}/form/${path}`);
			await page.locator('input[type="text"]').fill('Red bicycle');
			const [one, two] = await threePhotos(70);
			await page.setInputFiles('input[type="file"]', [
				{ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: one },
				{ name: 'IMG_2.jpg', mimeType: 'image/jpeg', buffer: two },
				{ name: 'prices.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
			]);
			const [file] = await Promise.all([page.waitForEvent('download'), page.click('#submit-btn')]);
			assert.equal(file.suggestedFilename(), 'product-photos.zip');
			const zip = (await readFile(await file.path())).toString('latin1');
			assert.ok(zip.startsWith('PK'));
			for (const name of ['Red bicycle.png', 'Red bicycle-2.png']) assert.ok(zip.includes(name));
			await page.getByText('Not included: prices.pdf').waitFor();
			const tools = fixture.charged().map(({ tool }) => tool);
			assert.deepEqual(tools, ['background-remover', 'background-remover']);
		});

		// The other examples were the same in both (2.41.1 and 1.123.81), or need n8n 2.
		if (hostName === 'n8n-1') return;

		it('Blog Illustrations saves an image for each title, named after it and in the size of its shape', async () => {
			await run('blog-illustrations.json');

			await assertSaved('Why Foxes Are Red.jpg', 'Ten Quiet Lakes.jpg', 'Baking with Rye.jpg');
			const sizes = fixture.charged().map(({ fields }) => fields['width']);
			assert.deepEqual(sizes.sort(), ['1024', '512', '576']);
		});

		it('Chain by Links saves the last of three images, each made from the previous one', async () => {
			await run('chain-by-links.json');

			await assertSaved(/^a-red-bicycle-on-a-white-table-\w{6}\.png$/);
			const [drawn, edited, cutOut] = fixture.charged();
			assert.equal(edited?.fields['image'], drawn?.outputUrl);
			assert.equal(cutOut?.fields['image'], edited?.outputUrl);
		});

		it('Photos with Their Cut-Outs saves each photo beside its own cut-out, in whatever order they are finished', async () => {
			const folder = join(fixture.files, 'shop');
			await mkdir(folder);
			const names = ['bike.jpg', 'lamp.jpg', 'mug.jpg'];
			for (const [index, bytes] of (await threePhotos(60)).entries()) {
				await writeFile(join(folder, names[index] ?? ''), bytes);
			}
			fixture.sandbox.arm({ fault: 'delay', delayMs: 2000, when: 'bike' });
			const body = shipped(fixture, 'photos-with-cut-outs.json');
			setUp(body, { folder });
			await start(fixture, body);

			const table = await readFile(join(fixture.files, 'pairs.csv'), 'utf8');
			const [, ...rows] = table.trim().split('\n');
			assert.equal(rows.length, 3);
			for (const row of rows) {
				const [name = '', cutOut = '', link] = row.split(',');
				assert.match(
					cutOut,
					new RegExp(`^${name.replace('.jpg', '')}-no-background-\\w{6}\\.png$`),
				);
				const bought = fixture.charged().find(({ outputUrl }) => outputUrl === link);
				const saved = async (file: string) => await readFile(join(fixture.files, file));
				assert.deepEqual(await saved(name), await readFile(join(folder, name)));
				assert.deepEqual(await saved(cutOut), await fixture.sandbox.output(bought?.jobId ?? ''));
				// Each photo has a width of its own.
				const widthOf = async (file: string) => (await sharp(await saved(file)).metadata()).width;
				assert.equal(await widthOf(cutOut), await widthOf(name));
			}
		});

		it('Nightly Folder buys nothing in the second night, and saves the same image', async () => {
			const body = shipped(fixture, 'nightly-folder.json');
			const id = await fixture.api.createWorkflow(body);
			await execute(fixture, id, body, 'Every Night');
			const paid = fixture.charged().length;
			const files = await readdir(fixture.files);
			const name = files.find((file) => /^astronaut-no-background-\w{6}\.png$/.test(file));
			const saved = join(fixture.files, name ?? 'no cut-out');
			const first = await readFile(saved);
			await rm(saved);
			await execute(fixture, id, body, 'Every Night');

			assert.deepEqual(await readFile(saved), first);
			assert.equal(fixture.charged().length, paid);
		});

		it('Purchase Log: Monthly Report and Tidy-Up reads the table that the node writes', async () => {
			const table = 'Log to report';
			const options = { purchaseLog: table, numberOfImages: 2 };
			const node = fixture.node('Generate', { prompt: 'a reported fox', options });
			assertSuccess(await fixture.run([webhook('report-log'), node]));
			const body = shipped(fixture, 'purchase-log-report.json');
			setUp(body, { table });
			const execution = await start(fixture, body, 'Every Month');

			const [row, ...more] = rowsOf(execution, 'By Month and Workflow').map(({ json }) => json);
			assert.deepEqual(more, []);
			assert.equal(row?.['Workflow'], 'report-log');
			assert.equal(row['Images'], 2);
			assert.equal(row['May have been charged'], 0);
			assert.match(String(row['Month']), /^\d{4}-\d\d$/);
			assert.equal((await rowsOfTable(fixture, table)).length, 2);
		});

		blogPostCase(fixture);
		onWhiteCases(fixture);
	});
}

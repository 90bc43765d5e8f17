import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { assertSuccess } from './support/execution.mjs';
import { threePhotos } from './support/fixture.mjs';
import { webhook } from './support/nodes.mjs';
import type { Row } from './support/shops/Row.mjs';
import { useShop } from './support/shops/useShop.mjs';
import { chain, type Links, type WorkflowNode } from './support/workflow.mjs';

const [boot, lamp, mug] = await threePhotos();
const photoFiles = { boot, lamp, mug };
const options = { reuse: 'always' };

/** n8n's own nodes, with stand-ins on this machine for the services that they call. */
describe(`The node between the services of a shop, in n8n ${hostVersion('n8n-2')}`, () => {
	const { fixture, memory, node, photo } = useShop('n8n-2', photoFiles);

	/** Makes a row for each list of photos. @returns sorts the rows and clears their links */
	const fill = (rows: Row[], ...all: (keyof typeof photoFiles)[][]) => {
		const filled = all.map((names, index) => ({
			id: String(index + 1),
			photos: names.map(photo),
			links: [],
		}));
		rows.splice(0, rows.length, ...filled);
		return () => {
			rows.reverse();
			for (const row of rows) row.links = [];
		};
	};

	/**
	 * Runs a workflow that buys three images, and once more after somebody has sorted the rows that it
	 * writes into and cleared what it wrote.
	 * @param check asserts what is written
	 */
	const runTwice = async (
		nodes: readonly WorkflowNode[],
		sortAndClear: () => void,
		check: () => Promise<void>,
		links: Links = {},
	) => {
		// The first request is answered last.
		fixture.sandbox.arm({ fault: 'delay', delayMs: 1000 });
		const first = await fixture.run(nodes, {}, links);
		assertSuccess(first);
		assert.equal(fixture.charged().length, 3);
		await check();

		sortAndClear();
		const path = nodes[0]?.webhookId ?? '';
		const second = await fixture.api.run(first.workflowId, () => fixture.call(path, {}));
		assertSuccess(second);
		assert.equal(fixture.charged().length, 3);
		await check();
	};

	const imagesBought = async () =>
		await Promise.all(fixture.charged().map(({ jobId }) => fixture.sandbox.output(jobId)));
	/** The image behind a link in a row: a saved file or the service's own. */
	const imageAt = async (link: string) => {
		const file = memory.files.find(({ webViewLink }) => webViewLink === link);
		const job = fixture.charged().find(({ outputUrl }) => outputUrl === link);
		return file?.bytes ?? (await fixture.sandbox.output(job?.jobId ?? ''));
	};
	/** Asserts that each row links to the images of its photos. Each photo has a width of its own. */
	const assertLinked = async (rows: readonly Row[]) => {
		for (const { id, photos, links } of rows) {
			const expected = await Promise.all(photos.map(({ bytes }) => widthOf(bytes)));
			const widths = await Promise.all(
				links.map(async (link) => await widthOf(await imageAt(link))),
			);
			assert.deepEqual(widths, expected, `row ${id}`);
		}
	};

	/** Reads the records of an Airtable. */
	const productsWith = (options: object) =>
		node('Products', 'airtable', 2.2, { ...airtable, operation: 'search', options });
	/** Writes a link into the record of an item. */
	const linkTo = (link: string) =>
		node('Link', 'airtable', 2.2, {
			...airtable,
			operation: 'update',
			columns: {
				mappingMode: 'defineBelow',
				matchingColumns: ['id'],
				value: { id: "={{ $('Products').item.json.id }}", 'Cut-Out': link },
				schema: schemaOf('id', 'Cut-Out'),
			},
		});

	it('Cut-outs of an Airtable’s attachments are saved in Google Drive and linked in their own records, and a second run is free', async () => {
		const { records, files } = memory;
		const sortAndClear = fill(records, ['boot'], ['lamp'], ['mug']);
		const nodes = [
			webhook('airtable'),
			productsWith({}),
			fixture.node('Cut Out', {
				operation: 'removeBackground',
				inputType: 'url',
				imageUrl: '={{ $json.fields.Photos }}',
				options,
			}),
			node('Save', 'googleDrive', 3, {
				authentication: 'serviceAccount',
				folderId: byId('cut-outs'),
				driveId: { __rl: true, mode: 'list', value: 'My Drive' },
				options: { simplifyOutput: false },
			}),
			linkTo('={{ $json.webViewLink }}'),
		];
		await runTwice(nodes, sortAndClear, async () => {
			await assertLinked(records);
			const bought = await imagesBought();
			for (const { bytes } of files) assert.ok(bought.some((image) => image.equals(bytes)));
		});
	});

	it('Cut-outs of the attachments that the Airtable node downloads are linked in their own records, and a second run is free', async () => {
		const { records } = memory;
		const sortAndClear = fill(records, ['boot'], ['lamp'], ['mug']);
		const nodes = [
			webhook('airtable-files'),
			productsWith({ downloadFields: ['Photos'] }),
			fixture.node('Cut Out', { operation: 'removeBackground', inputType: 'all', options }),
			linkTo('={{ $json.output_url }}'),
		];
		await runTwice(nodes, sortAndClear, async () => {
			await assertLinked(records);
		});
	});

	it('Edited files of a Notion page, whose addresses are new each time, are linked in their own pages, and a second run is free', async () => {
		const { pages } = memory;
		const sortAndClear = fill(pages, ['boot'], ['lamp'], ['mug']);
		const nodes = [
			webhook('notion'),
			node('Pages', 'notion', 3, {
				resource: 'databasePage',
				operation: 'getAll',
				dataSourceId: { __rl: true, mode: 'list', value: 'products' },
				returnAll: true,
				options: { downloadFiles: true },
			}),
			fixture.node('Edit', { operation: 'edit', inputType: 'all', prompt: 'mirror it', options }),
			node('Link', 'notion', 3, {
				resource: 'databasePage',
				operation: 'update',
				pageId: byId("={{ $('Pages').item.json.id }}"),
				propertiesUi: {
					propertyValues: [{ key: 'Edited|url', urlValue: '={{ $json.output_url }}' }],
				},
			}),
		];
		await runTwice(nodes, sortAndClear, async () => {
			await assertLinked(pages);
		});
	});

	it('Edited images of Shopify’s products are added to their own products, and a second run is free', async () => {
		const { products } = memory;
		const sortAndClear = fill(products, ['boot', 'lamp'], ['mug']);
		const nodes = [
			webhook('shopify'),
			node('Products', 'shopify', 1, {
				authentication: 'accessToken',
				resource: 'product',
				operation: 'getAll',
			}),
			fixture.node('Edit', {
				operation: 'edit',
				inputType: 'url',
				imageUrl: '={{ $json.images }}',
				prompt: 'make it brighter',
				options,
			}),
			node('Add', 'httpRequest', 4.2, {
				method: 'POST',
				url: "=https://shop.myshopify.com/admin/api/2024-07/products/{{ $('Products').item.json.id }}/images.json",
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'shopifyAccessTokenApi',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ { image: { src: $json.output_url } } }}',
			}),
		];
		await runTwice(nodes, sortAndClear, async () => {
			await assertLinked(products);
		});
	});

	it('Images for the prompts of a Google Sheet are linked in their own rows and sent by WhatsApp to the phone in the row, and a second run is free', async () => {
		const { prompts, messages } = memory;
		const texts = ['a red boot', 'a green lamp', 'a blue mug'];
		prompts.push(...texts.map((prompt, index) => ({ prompt, phone: `4930${index}`, link: '' })));
		const sheet = {
			authentication: 'serviceAccount',
			documentId: byId('shop'),
			sheetName: { __rl: true, mode: 'name', value: 'Prompts' },
		};
		const nodes = [
			webhook('sheet'),
			node('Rows', 'googleSheets', 4.7, { ...sheet, operation: 'read' }),
			fixture.node('Generate', { operation: 'generate', prompt: '={{ $json.Prompt }}', options }),
			node('Link', 'googleSheets', 4.7, {
				...sheet,
				operation: 'update',
				columns: {
					mappingMode: 'defineBelow',
					matchingColumns: ['row_number'],
					value: {
						row_number: "={{ $('Rows').item.json.row_number }}",
						Link: '={{ $json.output_url }}',
					},
					schema: schemaOf('row_number', 'Link'),
				},
			}),
			node('Send', 'whatsApp', 1.1, {
				operation: 'send',
				phoneNumberId: 'shop-phone',
				recipientPhoneNumber: "={{ $('Rows').item.json.Phone }}",
				messageType: 'image',
				mediaPath: 'useMedian8n',
			}),
		];
		const wires = [...chain('Webhook', 'Rows', 'Generate', 'Link'), ...chain('Generate', 'Send')];
		const sortAndClear = () => {
			prompts.reverse();
			for (const row of prompts) row.link = '';
			messages.length = 0;
		};
		const check = async () => {
			assert.equal(messages.length, 3);
			for (const { prompt, phone, link } of prompts) {
				const [job] = fixture.charged(prompt);
				assert.equal(link, job?.outputUrl);
				const image = messages.find(({ to }) => to === phone)?.bytes;
				assert.deepEqual(image, await fixture.sandbox.output(job?.jobId ?? ''));
			}
		};
		await runTwice(nodes, sortAndClear, check, { wires });
	});
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** The table of the Airtable. */
const airtable = { base: byId('appShop'), table: byId('Products') };

const widthOf = async (image: Buffer) => (await sharp(image).metadata()).width;

/** Columns as the editor saves them. */
function schemaOf(...names: string[]) {
	return names.map((id) => ({
		id,
		displayName: id,
		type: 'string',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: true,
		display: true,
	}));
}

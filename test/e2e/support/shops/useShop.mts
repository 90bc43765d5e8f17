import { generateKeyPairSync } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before } from 'node:test';
import { useFixture } from '../fixture.mjs';
import { stock } from '../nodes.mjs';
import type { WorkflowNode } from '../workflow.mjs';
import { airtable } from './airtable.mjs';
import { googleDrive, type DriveFile } from './googleDrive.mjs';
import { googleSheets, type PromptRow } from './googleSheets.mjs';
import { interceptHttps } from './interceptHttps.mjs';
import { notion } from './notion.mjs';
import type { Photo, Row } from './Row.mjs';
import { servePhotos } from './servePhotos.mjs';
import { shopify } from './shopify.mjs';
import { whatsApp, type ImageMessage } from './whatsApp.mjs';

/** What n8n needs to use each service. The stand-ins check none of it. */
const accounts = {
	airtableTokenApi: { accessToken: 'token' },
	googleApi: { region: 'global', email: 'shop@example.com', privateKey: createKey() },
	notionApi: { apiKey: 'token' },
	shopifyAccessTokenApi: { shopSubdomain: 'shop', accessToken: 'token', appSecretKey: 'secret' },
	whatsAppApi: { accessToken: 'token', businessAccountId: '1' },
};

/**
 * A fixture whose n8n reaches stand-ins for the services that shops use, and what these have in memory.
 * @param photos by the name in their address
 */
export function useShop<Name extends string>(
	hostName: string,
	photos: Readonly<Record<Name, Buffer>>,
) {
	const memory = {
		records: [] as Row[],
		pages: [] as Row[],
		products: [] as Row[],
		prompts: [] as PromptRow[],
		files: [] as DriveFile[],
		messages: [] as ImageMessage[],
	};
	const token = () => Promise.resolve(Response.json({ access_token: 'token' }));
	const standIns = {
		'api.airtable.com': airtable(memory.records),
		'api.notion.com': notion(memory.pages),
		'graph.facebook.com': whatsApp(memory.messages),
		'oauth2.googleapis.com': token,
		'sheets.googleapis.com': googleSheets(memory.prompts),
		'shop.myshopify.com': shopify(memory.products),
		'www.googleapis.com': googleDrive(memory.files),
	};
	let photoHost = '';
	const fixture = useFixture({
		hostName,
		name: 'shops',
		prepare: async (folder, closers) => {
			const proxyFolder = join(folder, 'proxy');
			closers.push(() => rm(proxyFolder, { recursive: true, force: true }));
			const server = await servePhotos(photos);
			closers.push(server.close);
			photoHost = server.url;
			const proxy = await interceptHttps(proxyFolder, standIns);
			closers.push(proxy.close);
			return proxy.settings;
		},
	});

	const credentials: NonNullable<WorkflowNode['credentials']> = {};
	before(async () => {
		for (const [type, data] of Object.entries(accounts)) {
			const id = await fixture.api.createCredential(type, type, data);
			credentials[type] = { id, name: type };
		}
	});
	/** One of n8n's own nodes with its account. */
	const node = (...[name, type, version, parameters]: Parameters<typeof stock>): WorkflowNode => ({
		...stock(name, type, version, parameters),
		credentials,
	});
	const photo = (name: Name): Photo => ({
		url: `${photoHost}/${name}.jpg`,
		bytes: photos[name],
	});
	return { fixture, memory, node, photo };
}

function createKey(): string {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

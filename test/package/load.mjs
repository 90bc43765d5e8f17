/**
 * Loads an unpacked package with n8n's own loader and prints what n8n knows about it. It is a
 * separate process because n8n-core loads classes differently under jest.
 */
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadOutputSchema, PackageDirectoryLoader } from 'n8n-core';

const [folder = ''] = process.argv.slice(2);
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();

const nodes = loader.types.nodes.map((node) => {
	const { sourcePath } = loader.getNode(node.name);
	const nodeDir = join(folder, dirname(sourcePath));
	// Asks like n8n's editor: with the hidden resource's default and each operation.
	const { default: resource } = node.properties.find(({ name }) => name === 'resource') ?? {};
	const operations = node.properties.find(({ name }) => name === 'operation')?.options ?? [];
	const schemas = operations.map((option) =>
		loadOutputSchema({
			nodeDir,
			version: node.defaultVersion ?? 1,
			resource: typeof resource === 'string' ? resource : '',
			operation: 'value' in option ? String(option.value) : option.name,
		}),
	);
	return { ...node, schemas };
});

// Running the node and testing the credential load modules that nothing else needs.
for (const { name } of nodes) {
	const { type } = loader.getNode(name);
	if ('nodeVersions' in type) continue;
	const nothing = /** @type {never} */ ({});
	const tests = Object.values(type.methods?.credentialTest ?? {});
	await Promise.allSettled([
		type.execute?.call(nothing),
		...tests.map(async (test) => await test.call(nothing, nothing)),
	]);
}
const modules = Object.keys(createRequire(import.meta.url).cache);
console.log(JSON.stringify({ nodes, credentials: loader.types.credentials, modules }));

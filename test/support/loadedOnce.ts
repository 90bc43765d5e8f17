/** Node's own require, where EngineEnvironment.js hands it in. */
const { loadOnce } = globalThis as { loadOnce?: (name: string) => unknown };

/** What takes jest seconds to load. Node loads each once, for all files of a process. */
const PACKAGES = [
	'n8n-core',
	'n8n-workflow',
	'@n8n/di',
	'reflect-metadata',
	'fastify',
	'@fastify/multipart',
	'sharp',
	'fast-check',
];

if (loadOnce !== undefined) {
	for (const name of PACKAGES) jest.doMock(name, () => loadOnce(name));
}

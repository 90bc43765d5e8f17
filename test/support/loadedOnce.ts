/** Node's own require, provided by EngineEnvironment.js. */
const { loadOnce } = globalThis as { loadOnce?: (name: string) => unknown };

/** Packages that jest would take seconds to load. Node loads each once per process. */
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

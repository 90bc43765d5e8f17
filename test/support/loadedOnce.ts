import { resolve } from 'node:path';

/** Node's own require, provided by EngineEnvironment.js. */
const { loadOnce } = globalThis as { loadOnce?: (name: string) => unknown };

/** Packages that jest would take seconds to load. Node loads each once per process. */
const PACKAGES = ['n8n-core', 'n8n-workflow', '@n8n/di', 'reflect-metadata', 'sharp', 'fast-check'];
const SANDBOX_PACKAGES = ['fastify', '@fastify/multipart', 'sharp', 'zod/v4'];
const SANDBOX = resolve(__dirname, '../../sandbox');

if (loadOnce !== undefined) {
	for (const name of PACKAGES) jest.doMock(name, () => loadOnce(name));
	for (const name of SANDBOX_PACKAGES) {
		const file = require.resolve(name, { paths: [SANDBOX] });
		jest.doMock(file, () => loadOnce(file));
	}
}

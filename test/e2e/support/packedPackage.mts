import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Tarball } from '../../../scripts/host/packPackage.mjs';

/** Environment variable in which `npm run test:e2e` passes the tarball's path to the test files. */
export const TARBALL = 'PACKED_TARBALL';

/** The tarball that all test files install. */
export function packedPackage(): Tarball {
	const file = process.env[TARBALL];
	if (file === undefined) throw new Error('Run these tests with: npm run test:e2e');
	const content = readFileSync(file);
	return {
		name: 'n8n-nodes-image-generation',
		file,
		bytes: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	};
}

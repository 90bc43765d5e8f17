import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';

import { useFixture } from '../support/fixture';
import { fox } from '../support/runs';

const fixture = useFixture();

it('an image that n8n cannot store is reported with its id and link and not downloaded again', async () => {
	// A file where n8n wants to create a folder.
	const folder = join(Container.get(BinaryDataConfig).localStoragePath, 'workflows');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(join(folder, '..'), { recursive: true });
	writeFileSync(folder, '');
	const { error } = await fixture.run(fox());

	const [job] = fixture.charges();
	expect(error?.message).toMatch(
		/^The image could not be downloaded: n8n could not store it \(.*ENOTDIR.*\)\.$/,
	);
	expect(error?.description?.split('\n')).toStrictEqual([
		'The image is finished and paid for. Open the link below in a browser.',
		`${job?.outputUrl} (job ${job?.jobId})`,
	]);
	expect(fixture.downloads()).toHaveLength(1);
	expect(fixture.charged()).toBe(1);
});

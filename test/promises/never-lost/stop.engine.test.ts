import { readdirSync, readlinkSync } from 'node:fs';

import { useFixture } from '../../support/fixture';
import { largePng } from '../../support/images';
import { CONTINUE, fox, generate, itemsOf, removeBackground } from '../../support/runs';
import { until } from '../../support/until';

const fixture = useFixture();

/** The files in n8n's storage that this process has open. */
function openFiles(): string[] {
	return readdirSync('/proc/self/fd').flatMap((fd) => {
		try {
			const target = readlinkSync(`/proc/self/fd/${fd}`);
			return target.includes('binary_data') ? [target] : [];
		} catch {
			return [];
		}
	});
}

it('On Error = Stop reports the failure that stops the run, and waiting jobs send nothing more', async () => {
	fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '240', times: 9, when: 'Wait' });
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Fail' });
	const { error } = await fixture.run(generate(), { items: itemsOf('Wait', 'Fail', 'Wait') });

	expect(error?.message).toBe('Item 2, "Fail": A fault was armed for this request.');
	expect(fixture.calls()).toHaveLength(3);
	expect(fixture.charged()).toBe(0);
});

it('On Error = Stop goes on with the download of an image that is paid for', async () => {
	fixture.sandbox.arm({ fault: 'download-500' });
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Fail', delayMs: 300 });
	const { error } = await fixture.run(generate(), { items: itemsOf('One', 'Fail') });

	expect(error?.message).toContain('Item 2, "Fail": A fault was armed for this request.');
	expect(fixture.downloads()).toHaveLength(2);
});

describe('Stop in n8n', () => {
	it('ends an upload at once and leaves no file open', async () => {
		// Larger than the socket buffers on both sides, so that the upload cannot finish.
		const data = await fixture.engine.store(largePng(64), 'large.png', 'image/png');
		fixture.sandbox.arm({ fault: 'hang' });
		const { result, stop } = fixture.start(removeBackground(), {
			items: [{ json: {}, binary: { data } }],
		});
		await until(() => (fixture.calls()[0]?.bytesReceived ?? 0) > 0);
		stop();

		expect((await result).run.status).toBe('canceled');
		expect(fixture.charged()).toBe(0);
		await until(() => openFiles().length === 0);
	});

	it.each([
		['the wait for a response', 'hang', 0],
		['a download', 'download-stall', 1],
	] as const)('ends %s at once and starts no further item', async (_what, fault, downloads) => {
		fixture.sandbox.arm({ fault });
		const items = itemsOf('One', 'Two');
		const { result, stop } = fixture.start(fox({ concurrency: 1 }), { items, node: CONTINUE });
		await until(() => (downloads === 0 ? fixture.struck() : fixture.downloads().length) === 1);
		stop();

		expect((await result).run.status).toBe('canceled');
		expect(fixture.calls()).toHaveLength(1);
		expect(fixture.downloads()).toHaveLength(downloads);
	});
});

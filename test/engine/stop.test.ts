import { readdirSync, readlinkSync } from 'node:fs';

import { useHouse } from '../support/house';
import { largePng } from '../support/images';
import { until } from '../support/until';

const house = useHouse();
const parameters = { operation: 'generate', prompt: 'A fox' };

/** The files of n8n's storage that this process has open. */
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

describe('On Error = Stop', () => {
	it('sends nothing again that waits for its turn, as it is not paid for', async () => {
		house.sandbox.arm({ fault: 'rate-limit', retryAfter: '240', times: 9, when: 'Wait' });
		house.sandbox.arm({ fault: 'status', status: 400, when: 'Fail' });
		const { error } = await house.run(
			{ ...parameters, prompt: '={{ $json.title }}' },
			{ items: ['Wait', 'Fail', 'Wait'].map((title) => ({ json: { title } })) },
		);

		expect(error?.message).toBe('Too many requests.');
		expect(house.calls()).toHaveLength(3);
		expect(house.charged()).toBe(0);
	});
});

describe('Stop in n8n', () => {
	it('ends an upload at once, and leaves no file open', async () => {
		// Larger than what the sockets between both ends hold, so that the upload can't be over.
		const data = await house.engine.store(largePng(64), 'large.png', 'image/png');
		house.sandbox.arm({ fault: 'hang' });
		const { result, stop } = house.start(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data } }] },
		);
		await until(() => (house.calls()[0]?.bytesReceived ?? 0) > 0);

		stop();
		const { run } = await result;

		expect(run.status).toBe('canceled');
		expect(house.charged()).toBe(0);
		await until(() => openFiles().length === 0);
	});

	it('ends the wait for an answer at once', async () => {
		house.sandbox.arm({ fault: 'hang' });
		const { result, stop } = house.start(parameters);
		await until(() => house.calls().length === 1);

		stop();
		const { run } = await result;

		expect(run.status).toBe('canceled');
		expect(house.calls()).toHaveLength(1);
	});

	it('ends a download at once', async () => {
		house.sandbox.arm({ fault: 'download-stall' });
		const { result, stop } = house.start(parameters);
		await until(() => house.downloads().length === 1);

		stop();
		const { run } = await result;

		expect(run.status).toBe('canceled');
		expect(house.downloads()).toHaveLength(1);
	});

	it('before the first call says that nothing may have been charged', async () => {
		const photo = await house.photo();
		let stop = () => {};
		const execution = house.engine.start({
			credential: house.credential,
			parameters: { operation: 'removeBackground' },
			items: [
				{
					json: {},
					// n8n takes the item up before the node has its turn.
					get binary() {
						stop();
						return photo.binary ?? {};
					},
				},
			],
		});
		stop = execution.stop;
		const { error } = await execution.result;

		expect(error?.message).toBe('The execution was canceled');
		expect(error?.description).toBe('No call was cut off that may have been charged.');
		expect(house.calls()).toHaveLength(0);
	});

	it('while a further try is checked hands over all that the earlier one paid for', async () => {
		house.sandbox.arm({ fault: 'download-404', times: 2 });
		let stop = () => {};
		const json = {
			get title() {
				if (house.downloads().length === 2) stop();
				return 'A fox';
			},
		};
		const execution = house.start(
			{ ...parameters, prompt: '={{ $json.title }}', options: { maxRetries: 0 } },
			{ items: [{ json }, { json }], node: { retryOnFail: true, maxTries: 2 } },
		);
		stop = execution.stop;
		const { error } = await execution.result;

		const paid = house.sandbox.ledger.slice(-2).map((charge) => charge.outputUrl);
		expect(error?.message).toBe(
			'The execution was canceled (2 images were finished before: see the details)',
		);
		expect(paid.filter((url) => error?.description?.includes(url) !== true)).toEqual([]);
		expect(house.calls()).toHaveLength(2);
	});

	it('ends the wait for the Request Interval at once', async () => {
		const { result, stop } = house.start(
			{ ...parameters, options: { concurrency: 2, requestInterval: 3_600_000 } },
			{ items: [{ json: {} }, { json: {} }] },
		);
		await until(() => house.downloads().length === 1);

		stop();
		const { run } = await result;

		expect(run.status).toBe('canceled');
		expect(house.calls()).toHaveLength(1);
	});

	it('ends the wait before a retry at once', async () => {
		house.sandbox.arm({ fault: 'rate-limit', retryAfter: '240', times: 9 });
		const { result, stop } = house.start(parameters);
		await until(() => house.calls()[0]?.status === 429);

		stop();
		const { run } = await result;

		expect(run.status).toBe('canceled');
		expect(house.calls()).toHaveLength(1);
	});

	it('starts no further item', async () => {
		house.sandbox.arm({ fault: 'hang', times: 2 });
		const { result, stop } = house.start(
			{ ...parameters, options: { concurrency: 2 } },
			{
				items: Array.from({ length: 6 }, () => ({ json: {} })),
				node: { onError: 'continueRegularOutput' },
			},
		);
		await until(() => house.calls().length === 2);

		stop();
		await result;

		expect(house.calls()).toHaveLength(2);
		expect(house.charged()).toBe(0);
	});
});

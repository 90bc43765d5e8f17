import { existsSync, readFileSync } from 'node:fs';
import { until } from '../support/until';
import { clients, failure } from './clients';
import { claiming, disc, slowSvg } from './pictures';
import { useSandboxes, type Service } from './useSandbox';

const start = useSandboxes();
const closed: unknown = expect.stringMatching(/SOCKET|ECONNRESET/);

/** The picture processes of this process, as far as the system tells (Linux does). */
function pictureProcesses(): number[] {
	const list = `/proc/${process.pid}/task/${process.pid}/children`;
	if (!existsSync(list)) return [];
	const ids = readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number);
	return ids.filter((id) =>
		readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('pictures/process'),
	);
}

const isRunning = (id: number) => existsSync(`/proc/${id}`);

const cutOut = async (service: Service, bytes: Buffer) =>
	await service.form('background-remover', {}, { image: { bytes } });

describe('an image', () => {
	it.each([
		[100_000, 400],
		[66_000, 10],
		[50_000_000, 1],
		[1, 30_001],
	])('of %i x %i pixels is refused with 413 by its header', async (width, height) => {
		const service = await start();
		const bytes = await claiming(width, height);
		const message = `image: "photo.png" has ${width} x ${height} pixels; the limit is 30000 pixels on a side.`;
		expect((await cutOut(service, bytes)).outcome()).toStrictEqual([413, message]);
		expect(service.sandbox.ledger).toStrictEqual([]);
	});
});

describe('pictures that take minutes', () => {
	/** Uploads as many as are made at once, so that any other picture has to wait. */
	async function fillWorkbench() {
		const service = await start();
		const { url, requests } = service.sandbox;
		const client = new AbortController();
		const upload = async () =>
			await clients.undici({
				url,
				tool: 'background-remover',
				files: { image: { bytes: slowSvg() } },
				signal: client.signal,
			});
		const ended = [failure(upload()), failure(upload())];
		const arrived = () => requests.filter(({ files }) => Boolean(files[0]?.sha256));
		await until(() => arrived().length === ended.length);
		const processes = pictureProcesses();
		return { service, client, processes, ended: Promise.all(ended) };
	}

	it('are given up when their clients leave, and not charged', async () => {
		const { service, client, processes, ended } = await fillWorkbench();
		const next = cutOut(service, await disc());
		client.abort();
		const left = performance.now();
		expect(await ended).toStrictEqual(['AbortError', 'AbortError']);
		expect((await next).status).toBe(200);
		await until(() => !processes.some(isRunning));
		expect(performance.now() - left).toBeLessThan(10_000);
		expect(service.sandbox.ledger).toHaveLength(1);
		expect((await service.control('GET', 'calls')).json()).toMatchObject([
			{ outcome: 'charged' },
			{ outcome: 'left' },
			{ outcome: 'left' },
		]);
	});

	it('are given up when the sandbox closes', async () => {
		const { service, processes, ended } = await fillWorkbench();
		await service.sandbox.close();
		expect(await ended).toStrictEqual([closed, closed]);
		await until(() => !processes.some(isRunning));
	});
});

import { PassThrough } from 'node:stream';

import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { deliver, isStillThere, type Delivering } from '../../../nodes/ImageGeneration/buy/deliver';
import { RateLimiter } from '../../../nodes/ImageGeneration/buy/rateLimiter';
import { RequestRate } from '../../../nodes/ImageGeneration/buy/requestRate';
import type { DownloadFailure, Failure } from '../../../nodes/ImageGeneration/failures/failures';
import { isDeadLink } from '../../../nodes/ImageGeneration/failures/retryDecision';
import { toService } from '../../../nodes/ImageGeneration/service/service';
import { PIXEL, sha256 } from '../../support/images';
import { jobWith, resultOf, rowWith } from '../../support/jobs';
import { purchaseWith } from '../../support/purchaseWith';

const RESULT = resultOf('owl');
const ROWS = [
	rowWith({ itemIndex: 0, key: 'a' }),
	rowWith({ itemIndex: 1, key: 'b', fileName: { stem: 'owl', isMarked: false } }),
] as const;

/** A run whose links answer with this status and these bytes, and a storage that keeps what it gets. */
function delivering({ status = 200, bytes = PIXEL, inMemory = false } = {}) {
	const requests: string[] = [];
	const files: Buffer[] = [];
	const helpers = {
		httpRequest: async ({ url }: { url: string }) => {
			requests.push(url);
			return await Promise.resolve({
				statusCode: status,
				headers: { 'content-type': 'text/html' },
				body: new PassThrough().end(bytes),
			});
		},
		prepareBinaryData: async (image: PassThrough, fileName: string, mimeType: string) => {
			files.push(Buffer.concat(await image.toArray()));
			const stored: IBinaryData = { data: '', fileName, mimeType };
			if (!inMemory) stored.id = `${files.length - 1}`;
			return stored;
		},
		getBinaryStream: async (id: string) =>
			await Promise.resolve(new PassThrough().end(files[Number(id)])),
	};
	const attempt: Delivering = {
		context: { helpers } as unknown as IExecuteFunctions,
		service: toService({ baseUrl: 'https://example.com', apiKey: 'a-key' }),
		limiters: { downloads: new RateLimiter(new RequestRate(), () => {}) } as Delivering['limiters'],
		log: { retry: () => {} },
		signal: new AbortController().signal,
	};
	return { attempt, requests, files, helpers };
}

describe('an image of several rows', () => {
	it('is downloaded once, and each row has a file of its own under its own name', async () => {
		const { attempt, requests, files } = delivering();
		const delivered = await deliver(attempt, jobWith({ rows: ROWS }), purchaseWith(), RESULT);

		expect(requests).toHaveLength(1);
		expect(files).toStrictEqual([PIXEL, PIXEL]);
		expect([...delivered]).toMatchObject([
			[
				ROWS[0],
				{
					value: {
						image: { id: '0', fileName: expect.stringMatching(/^a-fox-\w{6}\.gif$/) as string },
					},
				},
			],
			[ROWS[1], { value: { image: { id: '1', fileName: 'owl.gif', mimeType: 'image/gif' } } }],
		]);
	});

	it('is copied under each name where n8n keeps files in memory', async () => {
		const { attempt } = delivering({ inMemory: true });
		const delivered = await deliver(attempt, jobWith({ rows: ROWS }), purchaseWith(), RESULT);

		expect(delivered.get(ROWS[1])).toMatchObject({ value: { image: { fileName: 'owl.gif' } } });
	});

	it('that n8n can’t copy fails only for that row, which keeps the link', async () => {
		const { attempt, helpers } = delivering();
		helpers.getBinaryStream = async () => await Promise.reject(new Error('Disk full'));
		const delivered = await deliver(attempt, jobWith({ rows: ROWS }), purchaseWith(), RESULT);

		expect(delivered.get(ROWS[0])).toHaveProperty('value');
		expect(delivered.get(ROWS[1])).toMatchObject({
			failure: { kind: 'download', reason: 'not stored', job: RESULT },
		});
	});
});

it('a purchase remembers what was put out, so that a circle is noticed', async () => {
	const purchase = purchaseWith();
	await deliver(delivering().attempt, jobWith(), purchase, RESULT);

	const hash = Buffer.from(sha256(PIXEL), 'hex').toString('base64url');
	expect(purchase.output).toStrictEqual({ size: PIXEL.length, sha256: hash });
});

it('a row without Download needs no request', async () => {
	const { attempt, requests } = delivering();
	const rows = [rowWith({ outputField: undefined })] as const;
	const delivered = await deliver(attempt, jobWith({ rows }), purchaseWith(), RESULT);

	expect(requests).toStrictEqual([]);
	expect([...delivered.values()]).toStrictEqual([{ value: { result: RESULT } }]);
});

it('a download that fails keeps the link of the image, for every row of it', async () => {
	const { attempt, requests } = delivering({ status: 403 });
	const delivered = await deliver(attempt, jobWith({ rows: ROWS }), purchaseWith(), RESULT);

	expect(requests).toHaveLength(1);
	expect([...delivered.values()]).toMatchObject(
		Array(2).fill({ failure: { reason: 'status', status: 403, job: RESULT } }),
	);
});

describe('the link of another run’s image that is not downloaded', () => {
	const rows = [rowWith({ outputField: undefined })] as const;

	it.each([
		[200, true],
		[403, false],
		[404, false],
		[410, false],
		[500, true],
	])('is looked at: status %i, is still there: %p', async (status, expected) => {
		expect(await isStillThere(delivering({ status }).attempt, jobWith({ rows }), RESULT)).toBe(
			expected,
		);
	});

	it('is not looked at if a download shows it anyway', async () => {
		const { attempt, requests } = delivering({ status: 404 });

		expect(await isStillThere(attempt, jobWith(), RESULT)).toBe(true);
		expect(requests).toStrictEqual([]);
	});
});

it.each<[reason: DownloadFailure, isDead: boolean]>([
	[{ kind: 'download', reason: 'gone', status: 404 }, true],
	[{ kind: 'download', reason: 'status', status: 401 }, true],
	[{ kind: 'download', reason: 'status', status: 403 }, true],
	[{ kind: 'download', reason: 'not an image', claimed: 'text/html' }, true],
	[{ kind: 'download', reason: 'empty' }, true],
	[{ kind: 'download', reason: 'bad redirect' }, true],
	[{ kind: 'download', reason: 'redirect loop' }, true],
	[{ kind: 'download', reason: 'status', status: 429 }, false],
	[{ kind: 'download', reason: 'status', status: 408 }, false],
	[{ kind: 'download', reason: 'status', status: 503 }, false],
	[{ kind: 'download', reason: 'interrupted', message: 'cut' }, false],
	[{ kind: 'download', reason: 'timeout' }, false],
	[{ kind: 'download', reason: 'other host', origin: 'https://cdn.example' }, false],
	[{ kind: 'download', reason: 'blocked', message: 'no' }, false],
	[{ kind: 'download', reason: 'too large' }, false],
	[{ kind: 'download', reason: 'not stored', message: 'full' }, false],
])('a link that gives %j is dead, so that the image is bought again: %p', (failure, isDead) => {
	expect(isDeadLink(failure)).toBe(isDead);
});

it('only a download has a dead link', () => {
	const failures: Failure[] = [{ kind: 'rejection', status: 404 }, { kind: 'not started' }];

	expect(failures.some(isDeadLink)).toBe(false);
});

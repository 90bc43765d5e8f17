import { MINUTE } from './simulation/clock';
import { worldAfter } from './simulation/play';

const CUT_OUT = { operation: 'removeBackground', isByAddress: true } as const;

/** How many cut-outs are bought for one address, and for another one a minute later. */
async function boughtFor(...addresses: string[]): Promise<number> {
	const story = addresses.map((ask, index) => ({
		at: index * MINUTE,
		workflow: CUT_OUT,
		wishes: [{ name: `${index}`, ask }],
	}));
	const { service, executions } = await worldAfter(story);
	expect(executions.map(({ truth }) => truth)).toStrictEqual(['well', 'well']);
	return service.charges.length;
}

const S3 = 'https://b.s3.amazonaws.com/photo.png?v=2&X-Amz-Date=';
const rest = '&X-Amz-Credential=a&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=';

it.each([
	['of Amazon', `${S3}20261127T000000Z${rest}aaa`, `${S3}20261128T000000Z${rest}bbb`],
	[
		'of Amazon in the older way',
		'https://b.s3.amazonaws.com/a.png?AWSAccessKeyId=k&Expires=1&Signature=a',
		'https://b.s3.amazonaws.com/a.png?AWSAccessKeyId=k&Expires=2&Signature=b',
	],
	[
		'of Google',
		'https://storage.googleapis.com/b/a.png?X-Goog-Date=1&X-Goog-Expires=9&X-Goog-Signature=a',
		'https://storage.googleapis.com/b/a.png?X-Goog-Date=2&X-Goog-Expires=9&X-Goog-Signature=b',
	],
	[
		'of Azure',
		'https://a.blob.core.windows.net/b/a.png?sv=2024-11-04&se=2026-11-28&sr=b&sp=r&sig=a%3D',
		'https://a.blob.core.windows.net/b/a.png?sv=2024-11-04&se=2026-11-29&sr=b&sp=r&sig=b%3D',
	],
])('an image is bought once although its address has another signature %s', async (...row) => {
	const [, one, other] = row;

	expect(await boughtFor(one, other)).toBe(1);
});

it.each([
	['another file', `${S3}1${rest}a`, `${S3.replace('photo', 'other')}1${rest}a`],
	['another version', `${S3}1${rest}a`, `${S3.replace('v=2', 'v=3')}1${rest}a`],
	['what is no signature', 'https://a.test/a?expires=1', 'https://a.test/a?expires=2'],
	['what is no signature, with one letter', 'https://a.test/a?sp=1', 'https://a.test/a?sp=2'],
	[
		'what is no signature, beside one',
		'https://a.test/a?st=1&sig=a',
		'https://a.test/a?st=2&sig=a',
	],
	[
		'what belongs to another kind of signature',
		`${S3}1${rest}a&expires=1`,
		`${S3}1${rest}a&expires=2`,
	],
])('two images are bought for addresses that differ in %s', async (_what, one, other) => {
	expect(await boughtFor(one, other)).toBe(2);
});

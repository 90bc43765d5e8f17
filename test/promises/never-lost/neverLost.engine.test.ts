import { useFixture } from '../../support/fixture';
import { generate, hintsOf, idsOf, itemsOf } from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const jobIds = () => fixture.charges().map(({ jobId }) => jobId);
const ALWAYS = generate({ reuse: 'always' });
const items = itemsOf('An owl');
const buy = async (parameters = ALWAYS) => await fixture.run(parameters, { items });

const BOUGHT_AGAIN = ['1 image was bought. 1 earlier image was no longer there.'];

describe('an image of another run whose link gives', () => {
	it.each([
		['404', { fault: 'download-404' }],
		['403', { fault: 'download-500', status: 403 }],
		['410', { fault: 'download-500', status: 410 }],
		['a web page', { fault: 'html' }],
		['nothing', { fault: 'empty', times: 4 }],
	] as const)('%s is bought again without a failure, and a hint says so', async (_what, fault) => {
		await buy();
		fixture.sandbox.arm(fault);
		const again = await buy();

		expect(again.error).toBeUndefined();
		expect(idsOf(again)).toStrictEqual([jobIds()[1]]);
		expect(hintsOf(again)).toStrictEqual(BOUGHT_AGAIN);
		expect(fixture.charged()).toBe(2);
	});

	it.each([
		['500', { fault: 'download-500', times: 9 }],
		['a broken connection', { fault: 'reset-mid', times: 9 }],
		[
			'another host',
			{ fault: 'download-redirect', location: 'http://localhost:9/owl.jpg', times: 9 },
		],
	] as const)('%s is a failure, and nothing is bought', async (_what, fault) => {
		await buy();
		fixture.sandbox.arm(fault);
		const again = await buy();

		expect(again.error?.description).toContain(fixture.links()[0]);
		expect(fixture.charged()).toBe(1);

		fixture.sandbox.disarm();
		expect(idsOf(await buy())).toStrictEqual(jobIds());
	});
});

describe('an image of another run that is not downloaded', () => {
	const linkOnly = { ...ALWAYS, download: false };

	it.each([
		['404', { fault: 'download-404' }, 2],
		['403', { fault: 'download-500', status: 403 }, 2],
		['a page', { fault: 'html' }, 2],
		['500', { fault: 'download-500', times: 9 }, 1],
	] as const)(
		'is looked at, and bought again only if it is gone: %s',
		async (_what, fault, paid) => {
			await buy(linkOnly);
			fixture.sandbox.arm(fault);

			expect((await buy(linkOnly)).error).toBeUndefined();
			expect(fixture.charged()).toBe(paid);
		},
	);
});

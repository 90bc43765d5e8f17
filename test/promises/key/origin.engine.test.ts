import { useFixture } from '../../support/fixture';
import { fox, removeBackground } from '../../support/runs';
import { useSecondService } from '../../support/secondService';

const fixture = useFixture();
const second = useSecondService();

describe('the key', () => {
	it.each([302, 307])(
		'does not follow a redirect to another host, which receives nothing (status %d)',
		async (status) => {
			const location = `${second.url}/api/background-remover`;
			fixture.sandbox.arm({ fault: 'redirect', status, location });
			const { error } = await fixture.run(removeBackground(), { items: [await fixture.photo()] });

			expect(error?.httpCode).toBe(String(status));
			expect(error?.description).toContain(`The service redirects to ${location}.`);
			expect(second.requests).toStrictEqual([]);
		},
	);

	it('is not sent with a download', async () => {
		await fixture.run(fox());

		expect(fixture.downloads().map(({ headers }) => headers['api-key'])).toStrictEqual([undefined]);
	});
});

describe('a download', () => {
	const toSecond = (): void =>
		fixture.sandbox.arm({ fault: 'download-redirect', location: `${second.url}/output.jpg` });

	it('does not leave the Base URL’s host and says how to allow it', async () => {
		toSecond();
		const { error } = await fixture.run(fox());

		expect(error?.message).toBe(
			`The image was not downloaded because it is on another host, ${second.url}.`,
		);
		expect(error?.description).toContain("turn on 'Allow Other Hosts' in the credential");
		expect(error?.description).toContain(fixture.charges()[0]?.outputUrl);
		expect(second.requests).toStrictEqual([]);
	});

	it('goes to another host without the key if that is allowed', async () => {
		toSecond();
		const credential = { ...fixture.credential, allowOtherHosts: true };
		await fixture.run(fox(), { credential });

		expect(
			second.requests.map(({ method, headers }) => [method, headers['api-key']]),
		).toStrictEqual([['GET', undefined]]);
	});
});

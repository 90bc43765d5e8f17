import { byUrl, partsOf, plan, problemOf } from '../support/planImages';

describe('an address in Image URL', () => {
	const elsewhere = 'Only this machine can open that address, but the service downloads the image.';
	const andSet = "and set 'Image Source' to 'File From an Earlier Node'.";

	it.each([
		[
			'http://localhost:5678/a.jpg',
			elsewhere,
			`Get the image with an HTTP Request node first, ${andSet}`,
		],
		['http://127.0.0.1/a.jpg', elsewhere, 'HTTP Request'],
		['http://127.1/a.jpg', elsewhere, 'HTTP Request'],
		['https://[::1]:5678/a.jpg', elsewhere, 'HTTP Request'],
		['http://[::ffff:127.0.0.1]/a.jpg', elsewhere, 'HTTP Request'],
		['http://0.0.0.0:8080/a.jpg', elsewhere, 'HTTP Request'],
		['http://n8n.localhost/a.jpg', elsewhere, 'HTTP Request'],
	])('is refused if the service finds no image there: %s', async (address, why, advice) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". ${why}`,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it.each(['https://localhost.example.com/a.jpg', 'http://192.168.1.5/a.jpg'])(
		'is sent if there can be an image: %s',
		async (address) => {
			expect(partsOf(await byUrl(address))).toStrictEqual([address]);
		},
	);

	it.each([
		'http://localhost:8080',
		'http://127.0.0.1:8080',
		'http://[::1]:8080',
		// The service may be on this machine.
		'http://192.168.1.5:8080',
		'http://10.0.0.5:8080',
		'http://172.17.0.1:8080',
		'http://sandbox:8080',
		'http://host.docker.internal:8080',
	])('may be on this machine if the service may be there as well: %s', async (origin) => {
		const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

		expect(partsOf(await plan(parameters, {}, { origin }))).toStrictEqual([parameters.imageUrl]);
	});

	it.each(['https://example.com', 'https://[2001:db8::1]', 'http://172.32.0.1', 'http://8.8.8.8'])(
		'may not be on this machine if the service is elsewhere: %s',
		async (origin) => {
			const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

			expect(problemOf(await plan(parameters, {}, { origin }))).toMatchObject({
				kind: 'bad input',
			});
		},
	);
});

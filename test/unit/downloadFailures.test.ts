import {
	badImage,
	badRedirect,
	interrupted,
	notAnImage,
	notStored,
	onOtherHost,
	badStatus,
} from '../../nodes/ImageGeneration/service/downloadFailures';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const plain = (text: string) => text;
const BY_HAND = 'Open the link below in a browser.';

describe('an image that the service refuses', () => {
	it.each([
		[204, 'the service responded with status 204', BY_HAND, false],
		[304, 'the service responded with status 304', BY_HAND, false],
		[403, 'the service responded with status 403', BY_HAND, false],
		[404, 'the service no longer has it (status 404)', 'Ask the service about the job.', false],
		[408, 'the service responded with status 408', BY_HAND, true],
		[410, 'the service no longer has it (status 410)', 'Ask the service about the job.', false],
		[428, 'the service responded with status 428', BY_HAND, false],
		[429, 'the service responded with status 429', BY_HAND, true],
		[499, 'the service responded with status 499', BY_HAND, false],
		[500, 'the service responded with status 500', BY_HAND, true],
		[503, 'the service responded with status 503', BY_HAND, true],
	])('with status %d is told as it is: %s', (status, why, advice, transient) => {
		expect(badStatus(status, '{"err":"No"}', '7', JOB)).toMatchObject({
			message: `The image could not be downloaded: ${why}.`,
			job: JOB,
			details: { advice, transient, status, serviceMessage: 'No', retryAfter: '7' },
		});
	});
});

describe('what came instead of an image', () => {
	it.each([
		[true, undefined, 'an empty file', true],
		[false, undefined, 'a file that is not an image (unknown type)', false],
		[false, 'text/html', 'a file that is not an image (text/html)', false],
		[false, 'image/png', 'a file that claims to be image/png but is not an image', false],
	])(
		'is told, and asked for again only where it was empty: %s, %s',
		(isEmpty, type, why, transient) => {
			expect(notAnImage(isEmpty, type, '{"err":"Gone"}', JOB)).toMatchObject({
				message: `The service returned ${why}.`,
				job: JOB,
				details: { advice: BY_HAND, transient, serviceMessage: 'Gone' },
			});
		},
	);
});

describe('a download that broke off', () => {
	const cut = new Error('socket hang up');

	it('is made again, as it costs nothing', () => {
		expect(interrupted(cut, JOB, false, plain)).toMatchObject({
			message: 'The download was interrupted (socket hang up).',
			job: JOB,
			details: { advice: BY_HAND, transient: true },
		});
	});

	it('is not made again where the time was up, as the next one would take as long', () => {
		expect(interrupted(cut, JOB, true, plain)).toMatchObject({
			message: "The image could not be downloaded in the time set by 'Timeout'.",
			job: JOB,
			details: { advice: `${BY_HAND} To allow more time, raise 'Timeout'.`, transient: false },
		});
	});

	it('is not made again where n8n itself kept the call back', () => {
		const blocked = new Error('The request was blocked because of its address');

		expect(interrupted(blocked, JOB, false, plain)).toMatchObject({
			message:
				'The image could not be downloaded: n8n blocked the request (The request was blocked because of its address).',
			details: {
				advice:
					'Open the link below in a browser, or ask your n8n administrator to allow its host.',
				transient: false,
			},
		});
	});

	it('is told without the key', () => {
		const hideKey = (text: string) => text.replace('hang up', '•••');

		expect(interrupted(cut, JOB, false, hideKey).message).toContain('(socket •••)');
	});
});

describe('an image that is not good', () => {
	it('is fetched again where its end is missing, and not where it is too large', () => {
		expect(badImage('incomplete', 1024 ** 3, JOB)).toMatchObject({
			message: 'The image could not be downloaded: it arrived incomplete.',
			details: { transient: true },
		});
		expect(badImage('too large', 1024 ** 3, JOB)).toMatchObject({
			message: 'The image could not be downloaded: it is larger than 1024 MiB.',
			details: { transient: false },
		});
	});
});

describe('an image elsewhere', () => {
	it('is not fetched again from another host, but can be allowed', () => {
		expect(onOtherHost('https://example.org', JOB)).toMatchObject({
			message: 'The image was not downloaded because it is on another host, https://example.org.',
			details: {
				advice: `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
				transient: false,
			},
		});
	});

	it('is not fetched again where its address leads nowhere', () => {
		expect(badRedirect('to something that is not a web address', JOB)).toMatchObject({
			message:
				'The image could not be downloaded: its link redirects to something that is not a web address.',
			details: { advice: BY_HAND, transient: false },
		});
	});
});

describe('an image that n8n could not store', () => {
	it.each<[unknown, string]>([
		[new Error('ENOSPC: no space left on device, write'), 'ENOSPC: no space left on device, write'],
		['full', 'full'],
	])('is not fetched again, as that would end the same way: %p', (error, why) => {
		expect(notStored(error, JOB)).toMatchObject({
			message: `The image could not be downloaded: n8n could not store it (${why}).`,
			job: JOB,
			details: { advice: BY_HAND, transient: false },
		});
	});
});

describe('the advice on an image that is paid for', () => {
	it('is never to run the item again, which would be paid for again', () => {
		const blocked = new Error('The request was blocked because of its address');
		const failures = [
			onOtherHost('https://example.org', JOB),
			badRedirect('to something that is not a web address', JOB),
			...[204, 404, 408, 429, 500].map((status) => badStatus(status, '', undefined, JOB)),
			notAnImage(true, undefined, '', JOB),
			badImage('too large', 1024 ** 3, JOB),
			badImage('incomplete', 1024 ** 3, JOB),
			interrupted(new Error('Cut'), JOB, true, plain),
			interrupted(new Error('Cut'), JOB, false, plain),
			interrupted(blocked, JOB, false, plain),
			notStored(new Error('Full'), JOB),
		];

		expect(failures.filter(({ details }) => /again/i.test(details.advice))).toEqual([]);
	});
});

import { ConnectionFailure } from '../../nodes/ImageGeneration/failures/failures';
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
const BY_HAND = 'Open the link below in a browser.';

describe('an image with a bad status', () => {
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
	])('%d is described as: %s', (status, why, advice, transient) => {
		expect(badStatus(status, '{"err":"No"}', '7', JOB)).toMatchObject({
			message: `The image could not be downloaded: ${why}.`,
			job: JOB,
			details: { advice, transient, status, serviceMessage: 'No', retryAfter: '7' },
		});
	});
});

describe('a download that is not an image', () => {
	it.each([
		[true, undefined, 'an empty file', true],
		[false, undefined, 'a file that is not an image (unknown type)', false],
		[false, 'text/html', 'a file that is not an image (text/html)', false],
		[false, 'image/png', 'a file that claims to be image/png but is not an image', false],
	])('is described, and retried only if it was empty: %s, %s', (isEmpty, type, why, transient) => {
		expect(notAnImage(isEmpty, type, '{"err":"Gone"}', JOB)).toMatchObject({
			message: `The service returned ${why}.`,
			job: JOB,
			details: { advice: BY_HAND, transient, serviceMessage: 'Gone' },
		});
	});
});

describe('an interrupted download', () => {
	const cut = new ConnectionFailure('interrupted', 'socket hang up');

	it('is retried, because it is free', () => {
		expect(interrupted(cut, JOB, false)).toMatchObject({
			message: 'The download was interrupted (socket hang up).',
			job: JOB,
			details: { advice: BY_HAND, transient: true },
		});
	});

	it('is not retried after a timeout, because the next one would take as long', () => {
		expect(interrupted(cut, JOB, true)).toMatchObject({
			message: "The image could not be downloaded in the time set by 'Timeout'.",
			job: JOB,
			details: { advice: `${BY_HAND} To allow more time, raise 'Timeout'.`, transient: false },
		});
	});

	it('is not retried if n8n blocked it', () => {
		const blocked = new ConnectionFailure(
			'blocked',
			'The request was blocked because of its address',
		);

		expect(interrupted(blocked, JOB, false)).toMatchObject({
			message:
				'The image could not be downloaded: n8n blocked the request (The request was blocked because of its address).',
			details: {
				advice:
					'Open the link below in a browser, or ask your n8n administrator to allow its host.',
				transient: false,
			},
		});
	});
});

describe('a damaged image', () => {
	it('is downloaded again if it is truncated, but not if it is too large', () => {
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

describe('an image behind another address', () => {
	it('is not downloaded from another host, and the advice says how to allow it', () => {
		expect(onOtherHost('https://example.org', JOB)).toMatchObject({
			message: 'The image was not downloaded because it is on another host, https://example.org.',
			details: {
				advice: `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
				transient: false,
			},
		});
	});

	it('is not downloaded again if that address is invalid', () => {
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
	])('is not downloaded again, because storing it would fail again: %p', (error, why) => {
		expect(notStored(error, JOB)).toMatchObject({
			message: `The image could not be downloaded: n8n could not store it (${why}).`,
			job: JOB,
			details: { advice: BY_HAND, transient: false },
		});
	});
});

describe('the advice for a paid image', () => {
	it('never tells the user to run the item again, which would buy another one', () => {
		const blocked = new ConnectionFailure(
			'blocked',
			'The request was blocked because of its address',
		);
		const failures = [
			onOtherHost('https://example.org', JOB),
			badRedirect('to something that is not a web address', JOB),
			...[204, 404, 408, 429, 500].map((status) => badStatus(status, '', undefined, JOB)),
			notAnImage(true, undefined, '', JOB),
			badImage('too large', 1024 ** 3, JOB),
			badImage('incomplete', 1024 ** 3, JOB),
			interrupted(new ConnectionFailure('interrupted', 'Cut'), JOB, true),
			interrupted(new ConnectionFailure('interrupted', 'Cut'), JOB, false),
			interrupted(blocked, JOB, false),
			notStored(new Error('Full'), JOB),
		];

		expect(failures.filter(({ details }) => /again/i.test(details.advice))).toEqual([]);
	});
});

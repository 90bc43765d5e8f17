import { messageFor } from '../../nodes/ImageGeneration/report/messages';
import { badStatus } from '../../nodes/ImageGeneration/service/downloadFailures';
import { parseJobResult } from '../../nodes/ImageGeneration/service/response';
import { toService } from '../../nodes/ImageGeneration/service/service';

// A 304 has no body.
const STATUSES = Array.from({ length: 300 }, (_, index) => index + 300).filter(
	(status) => status !== 304,
);
const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key' });
const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };

/** The message for a paid request that ends with this status. */
function messageOfCall(status: number) {
	const body = JSON.stringify({ err: `Words of ${status}` });
	try {
		parseJobResult({ status, headers: {}, body }, service);
	} catch (failure) {
		return messageFor(failure);
	}
	throw new Error(`Status ${status} was taken for a job result`);
}

it('describes every status of a paid request with the service’s message and advice', () => {
	expect(STATUSES.map(messageOfCall)).toEqual(
		STATUSES.map((status) => ({
			title: `Words of ${status}`,
			advice: expect.stringMatching(/\.$/) as string,
			status,
			serviceMessage: `Words of ${status}`,
			job: {},
		})),
	);
});

it('says that a request may have been charged after 408 and 5xx, and after no other status', () => {
	expect(
		STATUSES.filter((status) => messageOfCall(status).advice.includes('may have been charged')),
	).toEqual(STATUSES.filter((status) => status === 408 || status >= 500));
});

it('describes every status of a download with its number, the service’s message and the paid job', () => {
	const failures = STATUSES.map((status) =>
		badStatus(status, `{"err":"Words of ${status}"}`, undefined, JOB),
	);

	expect(failures.map(messageFor)).toEqual(
		STATUSES.map((status) => ({
			title: expect.stringMatching(`^Words of ${status}\\. .*status ${status}`) as string,
			advice: expect.stringMatching(/^The image is finished and paid for\. .*\.$/) as string,
			status,
			serviceMessage: `Words of ${status}`,
			job: JOB,
		})),
	);
});

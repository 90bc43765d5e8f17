import type { FaultRule } from '../../../sandbox';
import { runBatch } from '../../support/batch';
import { KEY } from '../../support/cases';
import { findText } from '../../support/findText';
import { useFixture } from '../../support/fixture';

const fixture = useFixture({ apiKey: KEY, echoImages: true });
const escaped = JSON.stringify({ err: `Who is ${KEY}?` });

describe('the key is never left behind', () => {
	it.each<[string, FaultRule]>([
		['err', { fault: 'status', status: 401, body: { err: `No such key: ${KEY}` } }],
		['err of a 200', { fault: 'err-in-200', body: { err: `No such key: ${KEY}` } }],
		['plain text', { fault: 'status', status: 500, body: `Bad key ${KEY}` }],
		['the name of a field', { fault: 'extra-fields', body: { [KEY]: 1 } }],
		['a job’s field', { fault: 'extra-fields', body: { id: KEY, output_url: `http://x/${KEY}` } }],
		['a job’s id', { fault: 'no-output-url', body: { id: KEY } }],
		['a redirect’s address', { fault: 'redirect', location: `/login?key=${KEY}` }],
		[
			'another host',
			{ fault: 'other-host-output-url', location: `http://${KEY.toLowerCase()}.example` },
		],
		['a download’s redirect', { fault: 'download-redirect', location: `http://a.example/${KEY}` }],
		['a download’s message', { fault: 'download-404', body: escaped }],
		['a download’s type', { fault: 'text-as-png', contentType: `text/${KEY}` }],
		['a download’s body', { fault: 'json-200', body: escaped }],
	])('even if the service repeats it in %s', async (where, fault) => {
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
			const { result } = await runBatch(fixture.engine, fixture.sandbox, {
				names: [`${where}, ${onError}.`],
				parameters: { operation: 'generate', options: {} },
				faults: [{ times: 9, ...fault }],
				node: { onError },
			});
			expect(findText(result, KEY)).toStrictEqual([]);
		}
	});
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';

import type { FaultRule } from '../../sandbox';
import { findText } from '../support/findText';
import { logSoFar } from '../support/n8nLog';
import { useSandboxPool } from '../support/sandboxPool';
import { until } from '../support/until';
import { runBatch } from './batch';
import { ALL_CASES, HANGING, KEY, ruleOf, titleOf } from './cases';

const pool = useSandboxPool(12, { apiKey: KEY, echoImages: true });

const node = { onError: 'continueRegularOutput' } as const;
const parameters = { operation: 'generate', options: { maxRetries: 1 } };
let number = 0;

/** Runs three items with a fault and collects the evidence. */
async function runWithFault(
	fault: FaultRule,
	isHanging = false,
	more: Partial<typeof node> = node,
) {
	const id = ++number;
	const { options } = parameters;
	return await pool.take(
		async (sandbox) =>
			await runBatch(pool.engine, sandbox, {
				names: ['One', 'Two', 'Three'].map((name) => `${name}, key test ${id}.`),
				parameters: { ...parameters, options: { ...options, timeout: isHanging ? 1 : 60 } },
				faults: [fault],
				node: more,
			}),
	);
}

/** Paths and contents of all files in n8n's storage. */
function stored(): string[] {
	const root = Container.get(BinaryDataConfig).localStoragePath;
	return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
		const path = join(entry.parentPath, entry.name);
		return entry.isFile() ? [path, readFileSync(path, 'latin1')] : [path];
	});
}

describe('the key is never left behind', () => {
	it('in a run’s data, messages, storage or log, whatever the service does', async () => {
		const cases = ALL_CASES.filter(
			({ operation, onError, retryOnFail, lasting }) =>
				operation === 'generate' && onError === 'stopWorkflow' && !retryOnFail && !lasting,
		);
		const found = await Promise.all(
			cases.map(async (one) => {
				const { result } = await runWithFault(ruleOf(one), HANGING.includes(one.fault));
				return findText(result, KEY).map((path) => `${titleOf(one)}: ${path}`);
			}),
		);
		await until(() => logSoFar().includes('will be retried in'));

		expect(found.flat()).toEqual([]);
		expect(stored().filter((text) => text.includes(KEY))).toEqual([]);
		expect(logSoFar()).not.toContain(KEY);
	});

	const escaped = JSON.stringify({ err: `Who is ${KEY}?` });
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
		[
			'a download’s type',
			{
				fault: 'text-as-png',
				contentType: `text/${KEY}`,
				headers: { 'content-type': `text/${KEY}` },
			},
		],
		['a download’s body', { fault: 'json-200', body: escaped }],
	])('even if the service repeats it in %s', async (_where, fault) => {
		const going = await runWithFault({ times: 9, ...fault });
		const stopped = await runWithFault({ times: 9, ...fault }, false, {});

		expect(findText([going.result, stopped.result], KEY)).toEqual([]);
	});
});

import { describe } from 'node:test';
import { queueCases } from './cases/queue.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useQueue } from './support/useQueue.mjs';

/** A worker that is gone is noticed after seconds, not after a minute and a half. */
const impatient = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

describe(`Queue mode of n8n ${hostVersion('n8n-2')}: Redis, PostgreSQL, main, two workers`, () => {
	queueCases(useQueue('n8n-2', 'queue', impatient));
});

/** Settings by which n8n notices a dead worker within seconds instead of a minute and a half. */
export const impatientQueue = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/** With it, n8n 1 doesn't repeat a killed worker's execution. n8n 2 has no such setting and never does. */
export function neverRepeats(hostName: string): Record<string, string> {
	return hostName === 'n8n-1' ? { QUEUE_WORKER_MAX_STALLED_COUNT: '0' } : {};
}

import type { Job } from '../job.mjs';

/** Sets the sandbox's rate limit, if the job has one. */
export async function limitRate({ service, limit }: Job) {
	if (limit === undefined) return undefined;
	const url = `${service}/sandbox/rate-limit`;
	const refused = async () => ((await (await fetch(url)).json()) as { refused: number }).refused;
	const headers = { 'Content-Type': 'application/json' };
	const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(limit) });
	if (!response.ok) throw new Error(`The sandbox set no rate limit: ${await response.text()}`);
	const before = await refused();
	return {
		/** Removes the limit. @returns how many requests it refused */
		async lift(): Promise<number> {
			const count = (await refused()) - before;
			await fetch(url, { method: 'DELETE' });
			return count;
		},
	};
}

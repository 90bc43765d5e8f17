import type { Job } from '../job.mjs';

/** Has the sandbox limit calls, if the job wants that. */
export async function limitRate({ service, limit }: Job) {
	if (limit === undefined) return undefined;
	const url = `${service}/sandbox/rate-limit`;
	const refused = async () => ((await (await fetch(url)).json()) as { refused: number }).refused;
	const headers = { 'Content-Type': 'application/json' };
	const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(limit) });
	if (!answer.ok) throw new Error(`The sandbox sets no limit: ${await answer.text()}`);
	const before = await refused();
	return {
		/** Ends the limit. @returns how many calls it refused. */
		async lift(): Promise<number> {
			const count = (await refused()) - before;
			await fetch(url, { method: 'DELETE' });
			return count;
		},
	};
}

import { startService } from './startService.mjs';

/** A service of its own, whose files are gone afterwards. */
export async function withFreshService<T>(use: (url: string) => Promise<T>): Promise<T> {
	const service = await startService(0);
	try {
		return await use(service.url);
	} finally {
		await service.stop();
	}
}

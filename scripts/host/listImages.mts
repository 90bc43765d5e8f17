import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** Lists the image files that were written to a folder since a time, as rows of a table. */
export async function listImages(folder: string, since: number): Promise<string[]> {
	const files = readdirSync(folder)
		.map((name) => ({ name, stats: statSync(join(folder, name)) }))
		.filter(({ stats }) => stats.isFile() && stats.mtimeMs >= since);
	return await Promise.all(
		files.map(async ({ name, stats }) => {
			const { format, width, height, hasAlpha } = await sharp(join(folder, name)).metadata();
			const kind = `${format}${hasAlpha ? ' with transparency' : ''}`;
			const size = `${(stats.size / 1000).toFixed(1)} kB`;
			return `${name.padEnd(36)} ${`${width} × ${height}`.padEnd(12)} ${size.padStart(9)}  ${kind}`;
		}),
	);
}

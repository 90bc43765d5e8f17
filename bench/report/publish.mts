import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/tools/checkout.mjs';
import type { Chart } from '../part.mjs';
import { writeInto } from './page.mjs';
import { draw } from './picture.mjs';
import { writeFormatted } from './writeFormatted.mjs';

/** The latest result of a part, ready for the page. */
export interface Result {
	/** Machine, versions and date. */
	conditions: string;
	/** Markdown. */
	section: string;
	/** Undefined for the profile. */
	chart?: Chart;
}

/** By part. Kept, so that parts can be measured one at a time. */
type Results = Record<string, Result>;

const resultsFile = join(root, 'bench', 'results.json');

/** Stores new results, and writes the page and its picture from the latest ones of all parts. */
export async function publish(measured: Results): Promise<void> {
	const results: Results = { ...readResults(), ...measured };
	const inOrder = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
	const latest = Object.values(inOrder);
	await writeFormatted(resultsFile, JSON.stringify(inOrder));
	const picture = '![Bar charts of the results](../images/performance.svg)';
	const sections = latest.map(({ section }) => section);
	await writeInto(
		join(root, 'docs', 'development', 'performance.md'),
		[picture, ...sections].join('\n\n'),
	);
	await draw(
		latest.flatMap(({ chart }) => chart ?? []),
		[...new Set(latest.map(({ conditions }) => conditions))].join(' | '),
		join(root, 'docs', 'images', 'performance.svg'),
	);
}

function readResults(): Results {
	if (!existsSync(resultsFile)) return {};
	return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

import type { LedgerMeasurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { startService } from '../startService.mjs';
import { summarizeRatios, formatSummary, summarize, type Summary } from '../summary.mjs';

/** Measures what it costs to remember an execution's finished jobs for a retry. */
export async function remembering(lab: Lab, { few, quick }: Effort): Promise<Part> {
	const images = await lab.images(1000, 100);
	const counts = quick ? [1000] : [100, 1000, 10_000];
	const measured = new Map<string, LedgerMeasurement[]>();
	const measurementsOf = (items: number, remembers: boolean) => {
		const key = `${items} ${remembers}`;
		const found = measured.get(key) ?? [];
		measured.set(key, found);
		return found;
	};
	for (let round = 1; round <= few; round++) {
		for (const items of counts) {
			for (const remembers of [true, false]) {
				const service = await startService(0);
				const one = await lab.measureLedger({ service: service.url, images, items, remembers });
				await service.stop();
				measurementsOf(items, remembers).push(one);
				console.log(`  ${round}/${few} ${items} items, ${remembers ? 'with' : 'without'}:`, one);
			}
		}
	}

	const summary = (
		items: number,
		remembers: boolean,
		what: (one: LedgerMeasurement) => number,
	): Summary => summarize(measurementsOf(items, remembers).map(what));
	const ratio = (items: number, what: (one: LedgerMeasurement) => number): Summary =>
		summarizeRatios(measurementsOf(items, true).map(what), measurementsOf(items, false).map(what));
	const bytesPerJob = (items: number): Summary => {
		const without = measurementsOf(items, false);
		const more = measurementsOf(items, true).map(
			({ bytes }, round) => bytes - (without[round]?.bytes ?? NaN),
		);
		return summarize(more.map((bytes) => bytes / (items - 1)));
	};
	const most = counts.at(-1) ?? 0;
	return {
		title: '(g) Remembering finished jobs',
		about:
			'An execution whose last item the service refuses, then Retry; 5 at once, no downloads. ' +
			'“Without” is the same node without its ledger, which buys everything again. Storing is ' +
			'the time in which n8n’s serializer writes and reads the failed execution’s data. Bytes ' +
			'left are those in the node’s context after the Retry.',
		head: [
			'Items',
			'Run, CPU ms',
			'Run ÷ without',
			'Retry ÷ without',
			'Storing, CPU ms',
			'Storing without, CPU ms',
			'Bytes per job',
			'Bytes left',
			'Charged',
			'Charged without',
		],
		rows: counts.map((items) => [
			items.toLocaleString('en'),
			formatSummary(
				summary(items, true, ({ run }) => run),
				0,
			),
			formatSummary(
				ratio(items, ({ run }) => run),
				3,
			),
			formatSummary(
				ratio(items, ({ retry }) => retry),
				3,
			),
			summary(items, true, ({ storing }) => storing).median.toFixed(0),
			summary(items, false, ({ storing }) => storing).median.toFixed(0),
			bytesPerJob(items).median.toFixed(0),
			String(summary(items, true, ({ left }) => left).max),
			String(summary(items, true, ({ charged }) => charged).max),
			String(summary(items, false, ({ charged }) => charged).max),
		]),
		goals: [
			goal(
				`run ÷ without, ${most} items: at most 1.05`,
				ratio(most, ({ run }) => run),
				1.05,
				3,
			),
			goal('bytes per remembered job: at most 250', bytesPerJob(most), 250, 0),
		],
		chart: {
			title: `CPU time of Retry, ${most.toLocaleString('en')} items, the last refused`,
			unit: ' s',
			digits: 2,
			bars: [true, false].map((remembers) => ({
				name: remembers ? 'Image Generation' : 'without its ledger',
				value: summary(most, remembers, ({ retry }) => retry).median / 1000,
				isOurs: remembers,
			})),
		},
	};
}

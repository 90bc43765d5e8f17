import type { Known } from '../../nodes/ImageGeneration/recall/known';
import { reuseHint } from '../../nodes/ImageGeneration/report/reuseHint';
import type { Job, JobOutcome } from '../../nodes/ImageGeneration/types';
import { jobFor, jobWith, resultOf } from '../support/jobs';
import { purchaseWith } from '../support/purchases';

const NOW = new Date('2026-11-27T14:30:00Z');
const EDIT = { model: 'image-editor', textParts: { text: 'Blur it', image: 'https://a.test/a' } };
const CUT_OUT = { model: 'background-remover', textParts: { image: 'https://a.test/a' } };

/** A job that an earlier run bought then, in UTC. */
const reused = (time: string, job = jobFor(time)): [Job, Known] => [
	job,
	{
		from: 'earlier run',
		outcome: { value: resultOf(time) },
		purchase: purchaseWith({ time: Date.parse(time) }),
	},
];
const delivered = ([job, { outcome }]: [Job, Known]): JobOutcome => {
	if ('failure' in outcome) return { job, outcome };
	return { job, outcome: { value: { result: outcome.value } } };
};

/** What the hint says of a run that reused all of these. */
function hintFor(
	known: Array<[Job, Known]>,
	{ zone = 'Europe/Berlin', added = '', outcomes = known.map(delivered) } = {},
): string {
	const run = {
		context: { getTimezone: () => zone },
		added: new Set([added]),
		known: new Map(known),
		outcomes,
	};
	return reuseHint(run, NOW);
}

describe('the hint about reused images', () => {
	const add = "change the prompt, or add the option 'Reuse Images' and set it to 'Never'.";

	it('says when the image was bought, by the workflow’s clock and in which zone, and how to get another one', () => {
		expect(hintFor([reused('2026-11-27T13:05:59.999Z')])).toBe(
			`1 image is the one that was bought at 14:05 (Europe/Berlin), so it cost nothing. For another one, ${add}`,
		);
		expect(hintFor([reused('2026-11-27T13:05:59Z')], { zone: 'Asia/Kolkata' })).toContain(
			'bought at 18:35 (Asia/Kolkata),',
		);
	});

	it.each([
		['at 14:05 (Europe/Berlin)', ['2026-11-27T13:05:01Z', '2026-11-27T13:05:40Z']],
		['between 00:10 and 14:05 (Europe/Berlin)', ['2026-11-27T13:05:00Z', '2026-11-26T23:10:00Z']],
		[
			'on November 26, 2026 at 00:10 (Europe/Berlin)',
			['2026-11-25T23:10:00Z', '2026-11-25T23:10:30Z'],
		],
		[
			'on November 26, 2026 between 00:10 and 23:59 (Europe/Berlin)',
			['2026-11-26T22:59:00Z', '2026-11-25T23:10:00Z'],
		],
		['between November 26, 2026 and today', ['2026-11-26T22:59:00Z', '2026-11-26T23:00:00Z']],
		[
			'between December 31, 2025 and November 26, 2026',
			['2025-12-31T12:00:00Z', '2026-03-01T12:00:00Z', '2026-11-26T12:00:00Z'],
		],
		['earlier', ['', 'no time']],
	])('says of several images that they were bought %s', (when, times) => {
		expect(hintFor(times.map((time) => reused(time)))).toBe(
			`${times.length} images are those that were bought ${when}, so they cost nothing. For others, ${add}`,
		);
	});

	it.each([
		['set', jobFor('A fox'), 'reuse', "change the prompt, or set 'Reuse Images' to"],
		['add', jobFor('A fox'), 'timeout', add],
		['add', jobWith({ request: EDIT }), '', add.replace('prompt', 'instruction')],
		['add', jobWith({ request: CUT_OUT }), '', "one, add the option 'Reuse Images' and set it to"],
	])('says to %s the option, and names a text that this request has', (_, job, added, advice) => {
		expect(hintFor([reused('2026-11-27T13:05:00Z', job)], { added })).toContain(advice);
	});

	it('says the time of n8n’s machine if the workflow’s zone does not exist, and names that zone', () => {
		const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
		const hint = hintFor([reused('2026-11-27T13:05:00Z')], { zone: 'Nowhere' });

		expect(hint).toMatch(/bought (on .* )?at \d\d:05 /);
		expect(hint).toContain(`(${timeZone})`);
	});
});

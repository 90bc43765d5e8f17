import { Command, Option } from 'commander';
import { Lab } from '../bench/Lab.mjs';
import type { Effort, Part } from '../bench/part.mjs';
import { large } from '../bench/parts/large.mjs';
import { limited } from '../bench/parts/limited.mjs';
import { loading } from '../bench/parts/loading.mjs';
import { many } from '../bench/parts/many.mjs';
import { oneItem } from '../bench/parts/oneItem.mjs';
import { profile } from '../bench/parts/profile.mjs';
import { remembering } from '../bench/parts/remembering.mjs';
import { small } from '../bench/parts/small.mjs';
import { waiting } from '../bench/parts/waiting.mjs';
import { load, machine } from '../bench/report/machine.mjs';
import { section, table } from '../bench/report/markdown.mjs';
import { publish, type Result } from '../bench/report/publish.mjs';

const parts = {
	a: waiting,
	b: small,
	c: large,
	d: many,
	e: loading,
	f: limited,
	g: remembering,
	h: oneItem,
};
type PartName = keyof typeof parts;

interface Options {
	quick: boolean;
	only: PartName[];
	against?: string;
}

/**
 * `npm run bench`: compares the node with alternatives, and updates docs/development/performance.md after each
 * part.
 */
export async function main(args: string[]): Promise<void> {
	const { quick, only, against } = options(args);
	const effort: Effort = quick
		? { few: 1, some: 1, many: 1, quick }
		: { few: 2, some: 3, many: 9, quick };
	const started = Date.now();
	const lab = await Lab.open(against);
	const conditions = [
		machine(),
		`n8n ${lab.host.version} on Node ${await lab.nodeVersion()}`,
		`sandbox on Node ${process.versions.node}`,
		new Date().toISOString().slice(0, 10),
	].join('; ');

	const publishes = !quick && against === undefined;
	const show = async (name: string, result: Result) => {
		console.log(`\n${result.section}`);
		if (publishes) await publish({ [name]: result });
	};
	const measured: Part[] = [];
	for (const name of only) {
		console.log(`\nPart ${name} …`);
		const before = load();
		const part = await parts[name](lab, effort);
		measured.push(part);
		const text = section(part, `${conditions}; load ${before} before, ${load()} after.`);
		await show(name, { conditions, section: text, chart: part.chart });
	}
	if (only.includes('b')) {
		console.log('\nProfile …');
		const { head, rows } = await profile(lab);
		const text = `## Profile of (b), 5 at once\n\n${table(head, rows)}\n\n<sub>${conditions}</sub>`;
		await show('profile', { conditions, section: text });
	}

	report(measured);
	console.log(`Finished in ${Math.round((Date.now() - started) / 60_000)} minutes.`);
}

function options(args: string[]): Options {
	return new Command('npm run bench --')
		.description(
			'Compares the node with the HTTP Request node, a plain serial node and a bare script, ' +
				'and updates docs/development/performance.md after each part. All take about an hour.',
		)
		.option(
			'--quick',
			'measure everything once, skip what takes minutes, do not write the docs',
			false,
		)
		.addOption(
			new Option('--only <parts...>', 'measure only these parts, in this order')
				.choices(Object.keys(parts))
				.default(Object.keys(parts)),
		)
		.option(
			'--against <folder>',
			'a built checkout of another commit, which part d measures beside this one; writes no page',
		)
		.parse(args, { from: 'user' })
		.opts<Options>();
}

function report(measured: Part[]): void {
	const missed = measured.flatMap(({ title, goals }) =>
		goals.filter(({ met }) => !met).map((goal) => ({ title, ...goal })),
	);
	console.log(`\n${missed.length === 0 ? 'All goals met.' : 'Goals missed:'}`);
	for (const { title, wanted, found } of missed) console.log(`  ${title}: ${wanted}; ${found}`);
}

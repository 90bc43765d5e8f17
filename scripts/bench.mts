import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Lab } from '../bench/Lab.mjs';
import { publish } from '../bench/page.mjs';
import { measurePart } from '../bench/part.mjs';
import { large } from '../bench/parts/large.mjs';
import { longTextsPart } from '../bench/parts/longTexts.mjs';
import { purchaseLog } from '../bench/parts/purchaseLog.mjs';
import { small } from '../bench/parts/small.mjs';
import { root } from './tools/checkout.mjs';
import { run } from './tools/run.mjs';

const parts = { b: small, c: large, g: purchaseLog, h: longTextsPart };
type PartName = keyof typeof parts;

/** With fewer rounds, nothing can be said with 95 % confidence. */
const LEAST_ROUNDS = 6;

interface Options {
	rounds: number;
	only: PartName[];
	against?: string;
}

/**
 * `npm run bench`: compares the node with alternatives, and updates docs/development/performance.md
 * after each part.
 */
export async function main(args: string[]): Promise<void> {
	const { rounds, only, against } = options(args);
	const started = Date.now();
	const lab = await Lab.open(against);
	const machine = await conditions(lab);
	const publishes = rounds >= LEAST_ROUNDS && against === undefined;
	const show = async (section: string, more: string) => {
		const text = `${section}\n\n<sub>${machine}; ${more}.</sub>`;
		console.log(`\n${text}`);
		if (publishes) await publish(text);
	};

	const missed: string[] = [];
	for (const name of only) {
		console.log(`\nPart ${name} …`);
		const before = load();
		const part = await parts[name](lab);
		const builds = { ours: lab.packed.folder, other: lab.other };
		const measured = await measurePart(part, { ...builds, rounds });
		missed.push(...measured.missed);
		await show(measured.section, `rounds: ${rounds}; load ${before} before, ${load()} after`);
	}
	if (rounds < LEAST_ROUNDS) console.log('\nToo few rounds to say whether goals are met.');
	else console.log(`\n${missed.length === 0 ? 'No goal is missed.' : 'Goals missed:'}`);
	for (const line of missed) console.log(`  ${line}`);
	console.log(`Finished in ${Math.round((Date.now() - started) / 60_000)} minutes.`);
}

function options(args: string[]): Options {
	return new Command('npm run bench --')
		.description(
			'Compares the node with the HTTP Request node and a bare node, ' +
				'and updates docs/development/performance.md after each part. All take about an hour.',
		)
		.option(
			'--rounds <number>',
			`how often to measure everything; with fewer than ${LEAST_ROUNDS}, the page stays as it is`,
			positive,
			LEAST_ROUNDS,
		)
		.addOption(
			new Option('--only <parts...>', 'measure only these parts, in this order')
				.choices(Object.keys(parts))
				.default(Object.keys(parts)),
		)
		.option(
			'--against <folder>',
			'a built checkout of another commit, which is measured beside this one; the page stays as it is',
		)
		.parse(args, { from: 'user' })
		.opts<Options>();
}

function positive(text: string): number {
	if (!/^[1-9]\d*$/.test(text))
		throw new InvalidArgumentError('It must be a whole number above 0.');
	return Number(text);
}

async function conditions(lab: Lab): Promise<string> {
	const processors = cpus();
	const gibibytes = Math.round(totalmem() / 2 ** 30);
	const model = processors[0]?.model.trim() ?? 'unknown processor';
	const version = await run(lab.host.node, ['-p', 'process.versions.node'], { cwd: root });
	return [
		`${processors.length} × ${model}, ${gibibytes} GiB, ${type()} ${release()} ${arch()}`,
		`n8n ${lab.host.version} on Node ${version.trim()}`,
		`sandbox on Node ${process.versions.node}`,
		new Date().toISOString().slice(0, 10),
	].join('; ');
}

/** The machine's load average over the last minute. Shows whether other programs were busy. */
function load(): string {
	return (loadavg()[0] ?? NaN).toFixed(1);
}

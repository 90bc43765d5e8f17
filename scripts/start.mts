import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import sharp from 'sharp';
import type { LedgerEntry } from '../sandbox/index.js';
import { owner } from './host/bootN8n.mjs';
import { claimPorts, withPorts, type PortOptions } from './host/claimPorts.mjs';
import { mainExample, otherExamples } from './host/mainExample.mjs';
import { prepare, type Studio } from './host/prepare.mjs';
import { runWorkflow, type Step } from './host/runWorkflow.mjs';
import { PlainError } from './tools/PlainError.mjs';

interface Options extends PortOptions {
	exit?: boolean;
}

/** `npm start`: starts n8n with this package and runs the main example on a photo. */
export async function main(args: string[]): Promise<void> {
	const { exit = false, ...chosen } = options(args);
	const ports = await claimPorts('npm start', chosen, exit);
	const studio = await prepare(ports);
	const executionId = await runMainExample(studio);
	if (exit) return;
	console.log(whatNext(studio, executionId));
	throw new PlainError(`${await studio.n8n.died}. See its log: ${studio.n8n.log}`);
}

function options(args: string[]): Options {
	const command = new Command('npm start --').description(
		'Starts the sandbox and a real n8n with this package, runs the main example workflow on ' +
			'a photo, writes the images to output/ and keeps n8n running.',
	);
	return withPorts(command)
		.option('--exit', 'exit after the run, with 0 if it succeeded and 1 if not')
		.parse(args, { from: 'user' })
		.opts<Options>();
}

function whatNext({ n8n, sandbox }: Studio, executionId: string): string {
	const workflow = (id: string) => `${n8n.url}/workflow/${id}`;
	return `
Open         ${n8n.url}/home/workflows  all examples in n8n
Sign in      ${owner.email}  ${owner.password}
This run     ${workflow(mainExample.id)}/executions/${executionId}
Credential   “Image Generation API” is already there, with the sandbox's address and key

More examples
${indented(otherExamples.map(({ id, name }) => `${name.padEnd(40)} ${workflow(id)}`))}

n8n's log    ${n8n.log}
Sandbox      ${sandbox.url}  shows every call and what it was charged (no real money)
Stop         Ctrl+C`;
}

async function runMainExample({ n8n, sandbox, output }: Studio): Promise<string> {
	console.log(`\nRunning “${mainExample.name}” …`);
	const since = Date.now();
	const charged = sandbox.ledger.length;
	const executionId = await runWorkflow(n8n.session, mainExample.id, 'Start', printStep);
	const images = await listImages(output, since);
	if (images.length === 0) throw new PlainError(`The workflow wrote no images to ${output}.`);
	console.log(`\nImages in ${join(output, '')}\n${indented(images)}`);
	console.log(`Charged by the sandbox\n${indented(sandbox.ledger.slice(charged).map(charge))}`);
	return executionId;
}

/** The image files written to a folder since a time, as rows of a table. */
async function listImages(folder: string, since: number): Promise<string[]> {
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

function printStep({ node, milliseconds, failure }: Step): void {
	const time = `${(milliseconds / 1000).toFixed(1)} s`;
	console.log(`  ${failure === undefined ? '✓' : '✗'} ${node.padEnd(20)} ${time.padStart(6)}`);
	if (failure !== undefined) console.log(indented(failure.split('\n').map((line) => `  ${line}`)));
}

function charge({ tool, source, cents }: LedgerEntry): string {
	const paid = source === 'wallet' ? `${cents} cents from the wallet` : '1 from the allowance';
	return `${tool.padEnd(20)} ${paid}`;
}

function indented(lines: readonly string[]): string {
	return lines.map((line) => `  ${line}`).join('\n');
}

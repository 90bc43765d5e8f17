import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { parseInteger, parseKey, parsePrices, parseRateLimit } from './cli/values';
import { reasonOf } from './service/http/reasonOf';
import type { Sandbox, SandboxOptions } from './index';

/** The options as commander reads them: those of `startSandbox`, some under another name. */
interface CliOptions extends Omit<SandboxOptions, 'allowHosts'> {
	host: string;
	port: number;
	apiKey: string[];
	allowHost: string[];
	retryAfter: boolean;
	quiet: boolean;
}

const { version } = createRequire(__filename)('../package.json') as { version: string };
const program = new Command('npm run sandbox --')
	.description(
		'A local image generation service for building and testing workflows. No AI model runs in ' +
			'it: simple rules draw, cut out and edit the pictures, and nobody is billed.',
	)
	.version(version)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.addOption(integer('--port <port>', 'port to listen on; 0 picks a free one', 8080, 65_535))
	.addOption(keys('--api-key <key>', 'valid API key; repeat it for keys with own accounts'))
	.addOption(
		new Option('--unsubscribed-key <key>', 'key without a subscription')
			.default('no-subscription')
			.argParser(parseKey),
	)
	.addOption(integer('--allowance <count>', 'generations in the monthly allowance', 1000))
	.addOption(integer('--wallet-cents <cents>', 'prepaid wallet, in US cents', 1000))
	.option('--prices <list>', 'wallet prices in US cents, e.g. standard=4,hd=9', parsePrices)
	.option('--rate-limit <limit>', 'calls allowed per key, e.g. 10/60s', parseRateLimit)
	.option('--no-retry-after', 'send no Retry-After when the rate limit is exceeded')
	.addOption(integer('--delay-ms <ms>', 'delay of each response, in ms', 0, 2 ** 31 - 1))
	.addOption(integer('--max-image-bytes <bytes>', 'largest image accepted', 300 * 1024 * 1024))
	.addOption(integer('--keep-requests <count>', 'how many recent requests to keep', 20_000))
	.option('--allow-host <name...>', 'other host names to accept in the Host header', [])
	.option('--trust-proxy', 'trust X-Forwarded-Proto and X-Forwarded-Host', false)
	.option('--echo-images', 'return uploaded images unchanged', false)
	.option('--quiet', 'print no line per call', false)
	.allowExcessArguments(false)
	.action(run);

/** Runs until SIGINT or SIGTERM, then exits with 0. Exits with 1 if it cannot listen. */
async function run(options: CliOptions): Promise<void> {
	const { allowHost, retryAfter, rateLimit, quiet, ...others } = options;
	// Loading it takes a second, which --help and wrong options need not wait for.
	const { startSandbox } = await import('./index.js');
	const sandbox = await startSandbox({
		...others,
		allowHosts: allowHost,
		...(rateLimit && {
			rateLimit: {
				...rateLimit,
				retryAfter,
			},
		}),
		...(!quiet && {
			log: (line: string) => process.stdout.write(`${line}\n`),
		}),
	}).catch((error: unknown): never =>
		program.error(`The sandbox could not start: ${startFailure(error, options)}.`, { exitCode: 1 }),
	);
	const stop = () => {
		process.stdout.write('\nStopping the sandbox. Its files are removed.\n');
		void sandbox.close().then(() => process.exit(0));
	};
	// Before it is announced, so that whoever waits for that may stop it at once.
	process.once('SIGINT', stop).once('SIGTERM', stop);
	announce(sandbox, options);
}

function announce({ url }: Sandbox, { host, apiKey }: CliOptions): void {
	process.stdout.write(`Image API sandbox: ${url}
API key: ${apiKey.join(', ')}
No AI model runs here: simple rules draw the pictures.
Open ${url} in a browser to watch calls and arm faults.
Charges: ${url}/sandbox/ledger
Control API: ${url}/sandbox
OpenAPI: ${url}/openapi.json
Press Ctrl+C to stop.
`);
	if (/^(127\.|localhost$|::1$)/.test(host)) return;
	process.stderr.write(
		`Warning: anyone who can reach ${host} can use this sandbox and arm its faults.\n`,
	);
}

/** Why the sandbox could not start, as the end of a sentence. */
function startFailure(error: unknown, { host, port }: CliOptions): string {
	const reason = reasonOf(error);
	if (reason.includes('EADDRINUSE')) return `port ${port} is in use; choose another with --port`;
	if (reason.includes('EACCES')) {
		return `you may not listen on port ${port}; choose another with --port`;
	}
	if (/EADDRNOTAVAIL|ENOTFOUND/.test(reason)) return `this machine has no address ${host}`;
	return reason.replace(/\.$/, '');
}

function integer(flags: string, description: string, fallback: number, max = 2 ** 40): Option {
	return new Option(flags, description).default(fallback).argParser(parseInteger(max));
}

/** An option that can be repeated. */
function keys(flags: string, description: string): Option {
	const given: string[] = [];
	const add = (value: string) => {
		given.push(parseKey(value));
		return given;
	};
	return new Option(flags, description).default(['test-key'], 'test-key').argParser(add);
}

void program.parseAsync();

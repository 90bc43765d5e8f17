import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { sendControl } from './cli/sendControl';
import { parsePrices, parseRateLimit } from './cli/values';
import { reasonOf } from './service/http/reasonOf';
import type { Prices, RateLimit } from './types';
import type { Sandbox } from './index';

interface CliOptions {
	host: string;
	port: number;
	apiKey: string;
	unsubscribedKey: string;
	allowance: number;
	walletCents: number;
	prices?: Partial<Prices>;
	rateLimit?: RateLimit;
	retryAfter: boolean;
	delayMs: number;
	echoImages: boolean;
	maxImageBytes: number;
	keepRequests: number;
	allowHost: string[];
	trustProxy: boolean;
}

const program = new Command('npm run sandbox --')
	.description(
		'A local image generation service for building and testing workflows. No AI model runs in ' +
			'it: simple rules draw, cut out and edit the pictures, and nobody is billed.',
	)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.addOption(integer('--port <port>', 'port to listen on; 0 picks a free one', 8080, 65_535))
	.addOption(nonEmpty('--api-key <key>', 'valid API key', 'test-key'))
	.addOption(nonEmpty('--unsubscribed-key <key>', 'key without a subscription', 'no-subscription'))
	.addOption(integer('--allowance <count>', 'generations in the monthly allowance', 1000))
	.addOption(integer('--wallet-cents <cents>', 'prepaid wallet, in US cents', 1000))
	.option('--prices <list>', 'wallet prices in US cents, e.g. standard=4,hd=9', parsePrices)
	.option(
		'--rate-limit <limit>',
		'calls allowed per key, e.g. 10/60s (10 at once, then one every 6 s)',
		parseRateLimit,
	)
	.option('--no-retry-after', 'send no Retry-After when the rate limit is exceeded')
	.addOption(integer('--delay-ms <ms>', 'delay of each response, in ms', 0, 2 ** 31 - 1))
	.addOption(integer('--max-image-bytes <bytes>', 'largest image accepted', 300 * 1024 * 1024))
	.addOption(integer('--keep-requests <count>', 'how many recent requests to keep', 20_000))
	.option('--allow-host <name...>', 'other host names to accept in the Host header', [])
	.option('--trust-proxy', 'trust X-Forwarded-Proto and X-Forwarded-Host', false)
	.option('--echo-images', 'return uploaded images unchanged', false)
	.allowExcessArguments(false)
	.action(run);

program
	.command('top-up')
	.addArgument(new Argument('<cents>').argParser(parseInteger(1_000_000)))
	.description("add cents to a running sandbox's wallet")
	.addOption(urlOption())
	.action(async (cents: number, { url }: { url: string }) => {
		await print(sendControl(url, 'POST', 'account/top-up', { cents }));
	});
program
	.command('use-up')
	.description("empty a running sandbox's allowance and wallet")
	.addOption(urlOption())
	.action(async ({ url }: { url: string }) => {
		await print(sendControl(url, 'POST', 'account/use-up'));
	});
program
	.command('next-month')
	.description('start the next month in a running sandbox, with a full allowance')
	.addOption(urlOption())
	.action(async ({ url }: { url: string }) => {
		await print(sendControl(url, 'POST', 'account/next-month'));
	});
program
	.command('set-prices')
	.addArgument(new Argument('<list>').argParser(parsePrices))
	.description("change a running sandbox's wallet prices, e.g. standard=4,hd=9")
	.addOption(urlOption())
	.action(async (list: Partial<Prices>, { url }: { url: string }) => {
		await print(sendControl(url, 'PUT', 'account/prices', list));
	});
program
	.command('reset')
	.description('reset a running sandbox: account, ledger, files, requests, faults, rate limit')
	.addOption(urlOption())
	.action(async ({ url }: { url: string }) => {
		await print(sendControl(url, 'POST', 'reset'));
	});

/** Prints the account after a change. */
async function print(account: Promise<string>): Promise<void> {
	const text = await account.catch((error: unknown): never =>
		program.error(reasonOf(error), { exitCode: 1 }),
	);
	process.stdout.write(`${text}\n`);
}

/** Runs until SIGINT or SIGTERM, then exits with 0. Exits with 1 if it cannot listen. */
async function run(options: CliOptions): Promise<void> {
	const { allowHost, retryAfter, rateLimit: limit, ...others } = options;
	// Loading it takes a second, which --help and wrong options need not wait for.
	const { startSandbox } = await import('./index.js');
	const sandbox = await startSandbox({
		...others,
		allowHosts: allowHost,
		...(limit && { rateLimit: { ...limit, retryAfter } }),
	}).catch((error: unknown): never =>
		program.error(`The sandbox could not start: ${startFailure(error, options)}.`, { exitCode: 1 }),
	);
	announce(sandbox, options);
	const stop = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop).once('SIGTERM', stop);
}

function announce({ url }: Sandbox, { host, apiKey }: CliOptions): void {
	const lines = [
		`Image API sandbox: ${url}`,
		`API key: ${apiKey}`,
		'No AI model runs here: simple rules draw the pictures.',
		`Open ${url} in a browser to watch calls and arm faults.`,
		`Charges: ${url}/sandbox/ledger`,
		`Control API: ${url}/sandbox`,
		'Press Ctrl+C to stop.',
	];
	process.stdout.write(`${lines.join('\n')}\n`);
	if (/^(127\.|localhost$|::1$)/.test(host)) return;
	process.stderr.write(
		`Warning: anyone who can reach ${host} can use this sandbox and arm its faults.\n`,
	);
}

/** Why the sandbox could not start, as the end of a sentence. */
function startFailure(error: unknown, { host, port }: CliOptions): string {
	const code = typeof error === 'object' && error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port`;
	if (code === 'EACCES') return `you may not listen on port ${port}; choose another with --port`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
		return `this machine has no address ${host}`;
	}
	return reasonOf(error).replace(/\.$/, '');
}

function integer(flags: string, description: string, fallback: number, max = 2 ** 40): Option {
	return new Option(flags, description).default(fallback).argParser(parseInteger(max));
}

function parseInteger(max: number): (value: string) => number {
	return (value) => {
		const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
		if (number <= max) return number;
		throw new InvalidArgumentError(`It must be an integer from 0 to ${max}.`);
	};
}

function nonEmpty(flags: string, description: string, fallback: string): Option {
	return new Option(flags, description).default(fallback).argParser((value: string) => {
		if (value.trim() !== '') return value;
		throw new InvalidArgumentError('It must not be empty.');
	});
}

function urlOption(): Option {
	return new Option('--url <url>', 'address of the running sandbox')
		.default('http://127.0.0.1:8080')
		.argParser((value: string) => {
			if (URL.canParse(value)) return value;
			throw new InvalidArgumentError('It must be a URL, e.g. http://127.0.0.1:8080.');
		});
}

void program.parseAsync();

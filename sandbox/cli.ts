import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { remote } from './cli/remote';
import { prices, rateLimit } from './cli/values';
import { reasonOf } from './service/reasonOf';
import type { Prices, RateLimit } from './types';
import { startSandbox, type Sandbox } from './index';

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
		'A local service that speaks the image generation API. No AI model runs in it: pictures ' +
			'are drawn, cut out and edited by plain rules, and nobody is billed.',
	)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.addOption(numeric('--port <port>', 'port to listen on, 0 for a free one', 8080, 65_535))
	.addOption(filled('--api-key <key>', 'the key that is let in', 'test-key'))
	.addOption(filled('--unsubscribed-key <key>', 'a key without subscription', 'no-subscription'))
	.addOption(numeric('--allowance <count>', 'generations in the monthly allowance', 1000))
	.addOption(numeric('--wallet-cents <cents>', 'prepaid wallet in US cents', 1000))
	.option('--prices <list>', 'wallet prices in cents, e.g. standard=4,hd=9', prices)
	.option(
		'--rate-limit <limit>',
		'calls per key, e.g. 10/60s (a burst of 10, then steady)',
		rateLimit,
	)
	.option('--no-retry-after', 'leave Retry-After out of a 429 of the rate limit')
	.addOption(numeric('--delay-ms <ms>', 'how long each generation takes', 0, 2 ** 31 - 1))
	.addOption(numeric('--max-image-bytes <bytes>', 'largest image taken', 300 * 1024 * 1024))
	.addOption(numeric('--keep-requests <count>', 'latest requests kept and shown', 20_000))
	.option('--allow-host <name...>', 'further host names that calls may be addressed to', [])
	.option('--trust-proxy', 'believe X-Forwarded-Proto and X-Forwarded-Host', false)
	.option('--echo-images', 'give uploaded images back unchanged', false)
	.allowExcessArguments(false)
	.action(run);

program
	.command('top-up')
	.addArgument(new Argument('<cents>').argParser(wholeNumber(1_000_000)))
	.description('add to the wallet of a running sandbox')
	.addOption(address())
	.action(async (cents: number, { url }: { url: string }) => {
		await show(remote(url, 'POST', 'account/top-up', { cents }));
	});
program
	.command('use-up')
	.description('leave nothing in the allowance and the wallet of a running sandbox')
	.addOption(address())
	.action(async ({ url }: { url: string }) => {
		await show(remote(url, 'POST', 'account/use-up'));
	});
program
	.command('next-month')
	.description('begin the next month in a running sandbox, with a full allowance')
	.addOption(address())
	.action(async ({ url }: { url: string }) => {
		await show(remote(url, 'POST', 'account/next-month'));
	});
program
	.command('set-prices')
	.addArgument(new Argument('<list>').argParser(prices))
	.description('change wallet prices of a running sandbox, e.g. standard=4,hd=9')
	.addOption(address())
	.action(async (list: Partial<Prices>, { url }: { url: string }) => {
		await show(remote(url, 'PUT', 'account/prices', list));
	});
program
	.command('reset')
	.description('start over in a running sandbox: account, ledger, files, requests, faults, limit')
	.addOption(address())
	.action(async ({ url }: { url: string }) => {
		await show(remote(url, 'POST', 'reset'));
	});

/** Prints the account that a change left. */
async function show(account: Promise<string>): Promise<void> {
	const text = await account.catch((error: unknown): never =>
		program.error(reasonOf(error), { exitCode: 1 }),
	);
	process.stdout.write(`${text}\n`);
}

/** Runs until SIGINT or SIGTERM, then exits with 0; with 1 when it cannot listen. */
async function run(options: CliOptions): Promise<void> {
	const { allowHost, retryAfter, rateLimit: limit, ...others } = options;
	const sandbox = await startSandbox({
		...others,
		allowHosts: allowHost,
		...(limit && { rateLimit: { ...limit, retryAfter } }),
	}).catch((error: unknown): never =>
		program.error(`The sandbox cannot start: ${causeOf(error, options)}.`, { exitCode: 1 }),
	);
	announce(sandbox, options);
	const stop = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop).once('SIGTERM', stop);
}

function announce({ url }: Sandbox, { host, apiKey }: CliOptions): void {
	const lines = [
		`Sandbox of the image generation API: ${url}`,
		`api-key: ${apiKey}`,
		'No AI model runs here: pictures are drawn by rules.',
		`Open ${url} in a browser to see what happens and to arm faults.`,
		`What was charged: ${url}/sandbox/ledger`,
		`Everything that programs can ask for: ${url}/sandbox`,
		'Stop with Ctrl+C.',
	];
	process.stdout.write(`${lines.join('\n')}\n`);
	if (/^(127\.|localhost$|::1$)/.test(host)) return;
	process.stderr.write(
		`Warning: everyone who can reach ${host} can use this sandbox and arm its faults.\n`,
	);
}

function causeOf(error: unknown, { host, port }: CliOptions): string {
	const code = typeof error === 'object' && error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') return `port ${port} is taken; choose another with --port`;
	if (code === 'EACCES') return `port ${port} may not be used; choose another with --port`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
		return `this machine has no address ${host}`;
	}
	return reasonOf(error).replace(/\.$/, '');
}

function numeric(flags: string, description: string, fallback: number, most = 2 ** 40): Option {
	return new Option(flags, description).default(fallback).argParser(wholeNumber(most));
}

function wholeNumber(most: number): (value: string) => number {
	return (value) => {
		const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
		if (number <= most) return number;
		throw new InvalidArgumentError(`It must be an integer from 0 to ${most}.`);
	};
}

function filled(flags: string, description: string, fallback: string): Option {
	return new Option(flags, description).default(fallback).argParser((value: string) => {
		if (value.trim() !== '') return value;
		throw new InvalidArgumentError('It must not be empty.');
	});
}

function address(): Option {
	return new Option('--url <address>', 'where it runs')
		.default('http://127.0.0.1:8080')
		.argParser((value: string) => {
			if (URL.canParse(value)) return value;
			throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8080.');
		});
}

void program.parseAsync();

import { Command, InvalidArgumentError, Option } from 'commander';
import type { RateLimit, Sandbox, SandboxOptions } from './index';

/** The options as commander reads them: those of `startSandbox`, some under another name. */
interface CliOptions extends Omit<SandboxOptions, 'allowHosts'> {
	host: string;
	port: number;
	apiKey: string[];
	allowHost: string[];
	retryAfter: boolean;
}

const seconds = { s: 1, m: 60, h: 3600 };

const program = new Command('npm run sandbox --')
	.description(
		'A local image generation service for building and testing workflows. No AI model runs in ' +
			'it: simple rules draw, cut out and edit the pictures, and nobody is billed. ' +
			'The key no-subscription belongs to an account without a subscription.',
	)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.addOption(integer('--port <port>', 'port to listen on; 0 picks a free one', 8080, 65_535))
	.option('--api-key <key...>', 'valid API keys, all of one account', ['test-key'])
	.addOption(integer('--allowance <count>', 'generations in the monthly allowance', 1000))
	.addOption(integer('--wallet-cents <cents>', 'prepaid wallet, in US cents', 1000))
	.option('--rate-limit <limit>', 'calls allowed, e.g. 10/60s, 10/s or 100/5m', parseRateLimit)
	.option('--no-retry-after', 'send no Retry-After when the rate limit is exceeded')
	.addOption(integer('--delay-ms <ms>', 'delay of each response, in ms', 0))
	.option('--allow-host <name...>', 'other host names to accept in the Host header', [])
	.option('--echo-images', 'return uploaded images unchanged', false)
	.allowExcessArguments(false)
	.action(run);

/** Runs until SIGINT or SIGTERM, then exits with 0. Exits with 1 if it cannot listen. */
async function run(options: CliOptions): Promise<void> {
	const { allowHost, retryAfter, rateLimit, ...others } = options;
	// Loading it takes a second, which --help and wrong options need not wait for.
	const { startSandbox } = await import('./index.js');
	const sandbox = await startSandbox({
		...others,
		allowHosts: allowHost,
		rateLimit: rateLimit && { ...rateLimit, retryAfter },
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
Control API: ${url}/sandbox
Press Ctrl+C to stop.
`);
	if (/^(127\.|localhost$|::1$)/.test(host)) return;
	process.stderr.write(
		`Warning: anyone who can reach ${host} can use this sandbox and arm its faults.\n`,
	);
}

/** Why the sandbox could not start, as the end of a sentence. */
function startFailure(error: unknown, { host, port }: CliOptions): string {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port`;
	if (code === 'EACCES') return `you may not listen on port ${port}; choose another with --port`;
	if (code === 'EADDRNOTAVAIL') return `this machine has no address ${host}`;
	return message;
}

function integer(flags: string, description: string, fallback: number, max = 2 ** 31 - 1): Option {
	return new Option(flags, description).default(fallback).argParser((text) => {
		if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
		throw new InvalidArgumentError(`It must be an integer from 0 to ${max}.`);
	});
}

/** Reads `10/60s`, `10/s`, `100/5m` or `1000/h`. */
function parseRateLimit(text: string): RateLimit {
	const [, calls = '', count = '', unit = ''] = /^([1-9]\d*)\/(|[1-9]\d*)([smh])$/.exec(text) ?? [];
	if (calls === '') throw new InvalidArgumentError('It must be calls/time, e.g. 10/60s.');
	return {
		calls: Number(calls),
		seconds: Number(count || '1') * seconds[unit as keyof typeof seconds],
	};
}

void program.parseAsync();

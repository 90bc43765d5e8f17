import { Command, InvalidArgumentError, Option } from 'commander';
import { reasonOf } from './service/reasonOf';
import { startSandbox, type Sandbox } from './index';

interface CliOptions {
	host: string;
	port: number;
	apiKey: string;
	unsubscribedKey: string;
	allowance: number;
	walletCents: number;
	delayMs: number;
	echoImages: boolean;
	maxImageBytes: number;
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
	.addOption(numeric('--delay-ms <ms>', 'how long each generation takes', 0, 2 ** 31 - 1))
	.addOption(numeric('--max-image-bytes <bytes>', 'largest image taken', 300 * 1024 * 1024))
	.option('--echo-images', 'give uploaded images back unchanged', false)
	.allowExcessArguments(false)
	.action(run);

/** Runs until SIGINT or SIGTERM, then exits with 0; with 1 when it cannot listen. */
async function run(options: CliOptions): Promise<void> {
	const sandbox = await startSandbox(options).catch((error: unknown): never =>
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
		`What was charged: ${url}/sandbox/ledger`,
		`Faults and everything else: ${url}/sandbox`,
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
	return reasonOf(error);
}

function numeric(flags: string, description: string, fallback: number, most = 2 ** 40): Option {
	return new Option(flags, description).default(fallback).argParser((value) => {
		const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
		if (number <= most) return number;
		throw new InvalidArgumentError(`It must be an integer from 0 to ${most}.`);
	});
}

function filled(flags: string, description: string, fallback: string): Option {
	return new Option(flags, description).default(fallback).argParser((value: string) => {
		if (value.trim() !== '') return value;
		throw new InvalidArgumentError('It must not be empty.');
	});
}

void program.parseAsync();

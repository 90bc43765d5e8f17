import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';

/** The machine's load average over the last minute. Shows whether other programs were busy. */
export function load(): string {
	return (loadavg()[0] ?? NaN).toFixed(1);
}

export function machine(): string {
	const processors = cpus();
	const gibibytes = Math.round(totalmem() / 2 ** 30);
	const model = processors[0]?.model.trim() ?? 'unknown processor';
	return `${processors.length} × ${model}, ${gibibytes} GiB, ${type()} ${release()} ${arch()}`;
}

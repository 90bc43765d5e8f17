const UNITS = [
	{ ms: 24 * 60 * 60 * 1000, name: 'day' },
	{ ms: 60 * 60 * 1000, name: 'hour' },
	{ ms: 60 * 1000, name: 'minute' },
	{ ms: 1000, name: 'second' },
];

/** Milliseconds in words, such as "90 seconds" or "3 hours". */
export function duration(ms: number): string {
	// Below two of a unit the smaller one is used: "90 seconds", not "2 minutes".
	const unit = UNITS.find((larger) => ms >= 2 * larger.ms) ?? { ms: 1000, name: 'second' };
	const count = Math.max(1, Math.round(ms / unit.ms));
	return `${count.toLocaleString('en')} ${unit.name}${count === 1 ? '' : 's'}`;
}

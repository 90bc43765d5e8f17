import { safeFileName } from '../../nodes/ImageGeneration/images/fileName';
import { extensionOf, imageType } from '../../nodes/ImageGeneration/images/imageType';
import { toHtml } from '../../nodes/ImageGeneration/report/toHtml';
import { parseBaseUrl } from '../../nodes/ImageGeneration/service/baseUrl';
import { toConnectionFailure } from '../../nodes/ImageGeneration/service/connectionFailure';
import { keyHider } from '../../nodes/ImageGeneration/service/key';
import { parseJobResult, serviceMessage } from '../../nodes/ImageGeneration/service/response';
import { toService } from '../../nodes/ImageGeneration/service/service';

const service = toService({ baseUrl: 'https://example.com', apiKey: '....////%%%%' });
const hide = keyHider('a\\\\\\\\\\\\a%%%%');

/** Whatever takes text from outside. */
const TAKERS: Record<string, (text: string) => unknown> = {
	safeFileName: (text) => safeFileName(text),
	imageType: (text) => imageType(Buffer.from([0]), text),
	extensionOf: (text) => extensionOf(`image/${text}`),
	toHtml,
	parseBaseUrl: (text) => parseBaseUrl(`https://example.com/${text}`),
	toConnectionFailure: (text) => toConnectionFailure(new Error(text)),
	hideKey: hide,
	serviceMessage: (text) => serviceMessage(JSON.stringify({ err: text })),
	'a response': (text) => parseJobResult({ status: 200, headers: {}, body: text }, service),
	'an error response': (text) =>
		parseJobResult({ status: 400, headers: { location: text }, body: text }, service),
	'a field of a job result': (text) =>
		parseJobResult(
			{ status: 200, headers: {}, body: JSON.stringify({ output_url: 'https://a.b', text }) },
			service,
		),
};

/** What makes expressions go back and forth. */
const UNITS = [
	...['.', ' ', '/', '(', ')', '[', '{', '{"', '"\\', '\\', '%25', '&#', "'", '-', 'a', '9'],
	...['http://', 'https://(', 'https://a,', '{"a":', '[[],', '{"output_url":"https://a.b/c"},'],
];

/** How long a task takes, in milliseconds. */
function timeOf(task: () => unknown): number {
	const start = performance.now();
	try {
		task();
	} catch (error) {
		expect(error).toBeInstanceOf(Error);
	}
	return performance.now() - start;
}

/** How many times as long eight times the text takes, in the best of some comparisons. */
function growth(take: (text: string) => unknown, unit: string): number {
	const text = (length: number) => `x${unit.repeat(length / unit.length)}\n!`;
	let best = Infinity;
	// What else the machine does may spoil some of them, and makes none of them better.
	for (let comparison = 0; comparison < 10 && best >= LIMIT; comparison++) {
		const short = timeOf(() => take(text(10_000)));
		const long = timeOf(() => take(text(80_000)));
		// What is over in a moment is not worth a comparison.
		best = Math.min(best, long / Math.max(short, 2));
	}
	return best;
}

// Between 8, and 64 where each character is matched against all others.
const LIMIT = 24;

describe('text from outside', () => {
	const cases = Object.keys(TAKERS).flatMap((taker) => UNITS.map((unit) => [taker, unit] as const));

	it.each(cases)('takes no more than its length in time: %s of %j', (name, unit) => {
		const take = TAKERS[name] ?? (() => undefined);

		expect(growth(take, unit)).toBeLessThan(LIMIT);
	});
});

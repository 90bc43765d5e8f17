import { safeStem } from '../../nodes/ImageGeneration/images/fileName';
import { imageType } from '../../nodes/ImageGeneration/images/imageType';
import { isTrackingPixel } from '../../nodes/ImageGeneration/images/pixelSize';
import { addressesIn } from '../../nodes/ImageGeneration/plan/addressesIn';
import { addressesOf } from '../../nodes/ImageGeneration/plan/addressesOf';
import { readWebAddress } from '../../nodes/ImageGeneration/plan/imageAddress';
import { missingStep } from '../../nodes/ImageGeneration/plan/jsonPath';
import { mayHaveNoValue } from '../../nodes/ImageGeneration/plan/noValue';
import {
	FilledTemplate,
	pathsIn,
	statesAlternative,
	templateIn,
} from '../../nodes/ImageGeneration/plan/template';
import { toConnectionFailure } from '../../nodes/ImageGeneration/service/connectionFailure';
import { parseJson } from '../../nodes/ImageGeneration/service/jobResults';
import { keyHider } from '../../nodes/ImageGeneration/service/key';
import { parseJobResult, serviceMessage } from '../../nodes/ImageGeneration/service/response';
import { parseBaseUrl, toService } from '../../nodes/ImageGeneration/service/service';
import { toHtml } from '../../nodes/ImageGeneration/values/text';

const service = toService({ baseUrl: 'https://example.com', apiKey: '....////%%%%' });
const hide = keyHider('a\\\\\\\\\\\\a%%%%');

const filled = (text: string) => new FilledTemplate(templateIn(text));

/** Every function that reads text from outside. */
const TAKERS: Record<string, (text: string) => unknown> = {
	safeStem: (text) => safeStem(text),
	imageType: (text) => imageType(Buffer.from([0]), `image/${text}`),
	toHtml,
	addressesIn,
	'addresses in a line': (text) => addressesIn(`https://a.b/${text.replaceAll('\n', '')}`),
	'addresses in HTML': (text) => addressesIn(`<img src="${text}`),
	'addresses in JSON': (text) => addressesOf(`[${text}`),
	readWebAddress: (text) => readWebAddress(`https://a.b/${text}`, 'a.b'),
	'a page of Dropbox': (text) => readWebAddress(`https://dropbox.com/s/${text}`, 'a.b'),
	'a page of SharePoint': (text) => readWebAddress(`https://a.sharepoint.com/${text}`, 'a.b'),
	'a page of Google Docs': (text) => readWebAddress(`https://docs.google.com/file/${text}`, 'a.b'),
	'the first bytes of an SVG': (text) => imageType(Buffer.from(`<?${text}`), 'image/svg+xml'),
	'the size of a JPEG': (text) => isTrackingPixel(Buffer.from(text, 'latin1'), 'image/jpeg'),
	'a template': (text) => filled('{{ $a }} {{ $b }}').blankCandidates(text),
	'a template with words': (text) => filled('a {{ $a }} {{ $b }} x{{ $c }} ').blankCandidates(text),
	'an expression': (text) => [pathsIn(`$json${text}`), missingStep(`$json${text}`, {})],
	'an alternative': (text) => statesAlternative(`$if($json.a ? ${text}`),
	'the words in an expression': (text) => filled(`{{ $json.a + ${text}`).isOnlyTyped(text),
	'the names of an item': (text) => missingStep('$json.title', { [text]: '' }),
	mayHaveNoValue,
	parseBaseUrl: (text) => parseBaseUrl(`https://example.com/${text}`),
	toConnectionFailure: (text) => toConnectionFailure(new Error(text), service),
	hideKey: hide,
	serviceMessage: (text) => serviceMessage({ err: text }),
	// Ends within an escape, as a response that is cut may do.
	'a cut response': (text) => parseJson(`1234567890123456"${text.slice(1, -2)}`),
	'a response': (text) => parseJobResult({ status: 200, headers: {}, text }, service),
	'an error response': (text) =>
		parseJobResult({ status: 400, headers: { location: text }, text }, service),
	'a field of a job result': (text) =>
		parseJobResult(
			{ status: 200, headers: {}, text: JSON.stringify({ output_url: 'https://a.b', text }) },
			service,
		),
};

/** Text that makes regular expressions backtrack. */
const UNITS = [
	'.',
	' ',
	'/',
	'(',
	')',
	'[',
	'{',
	'{"',
	'"\\',
	'\\',
	'%25',
	'&#',
	"'",
	'-',
	'a',
	'9',
	'http://',
	'https://(',
	'https://a,',
	'{"a":',
	'[[],',
	'{"output_url":"https://a.b/c"},',
	', ',
	',',
	';',
	'"',
	'https://a.b/?c=https://d, ',
	'https://a.b/?c=https://d,data:a/b;',
	'https://a.b/c ',
	'https://a.b/c (1)',
	' (a).',
	'https://a.b/c.jpg|',
	'https://a.b/(c',
	'(https://a.b) ',
	'data:a/b;base64,AAAA ',
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB,',
	'<img ',
	'src="',
	'src = ',
	`<img alt="src='`,
	'&amp;',
	'&#3',
	'](',
	'|',
	'?dl=',
	'.jpg',
	'<!--',
	'?><?',
	'\n',
	',id:"',
	'output_url:["',
	'aaaaaaa%',
	'"\\"\\"\\"\\',
	'$a.b',
	'$a["',
	'?? "',
	': "',
	'${"',
	'`',
];

/** Time a task takes, in milliseconds. */
function timeOf(task: () => unknown): number {
	const start = performance.now();
	try {
		task();
	} catch (error) {
		expect(error).toBeInstanceOf(Error);
	}
	return performance.now() - start;
}

/** How many times longer eight times the text takes, in the best of several comparisons. */
function growth(take: (text: string) => unknown, unit: string): number {
	const text = (length: number) => `x${unit.repeat(length / unit.length)}\n!`;
	let best = Infinity;
	// Other work on the machine can only make a comparison worse.
	for (let comparison = 0; comparison < 10 && best >= LIMIT; comparison++) {
		const short = timeOf(() => take(text(10_000)));
		const long = timeOf(() => take(text(80_000)));
		// Below two milliseconds the clock is too coarse to compare.
		best = Math.min(best, long / Math.max(short, 2));
	}
	return best;
}

// Linear time gives 8, quadratic time 64.
const LIMIT = 24;

const cases = Object.entries(TAKERS).flatMap(([name, take]) =>
	UNITS.map((unit) => ({ name, take, unit })),
);

it.each(cases)('text from outside is read in linear time: $name of $unit', ({ take, unit }) => {
	expect(growth(take, unit)).toBeLessThan(LIMIT);
});

import {
	isOnlyTyped,
	mayHaveBlank,
	statesAlternative,
	parseTemplate,
} from '../../../nodes/ImageGeneration/plan/template';

it('a template is split where n8n splits it', () => {
	expect(parseTemplate('A {{ $a }} and {{$b}}{{ $c')).toMatchObject({
		words: ['A ', ' and ', '', ''],
		codes: [' $a ', '$b', ' $c'],
	});
});

it.each([
	'$json.a || ""',
	"$json.a ?? 'b'",
	'$json.a ?? null',
	'$json.a ? $json.b : ""',
	'!$json.a ? "" : $json.b',
	'$json.a?.b ? " in " + $json.a.b : undefined',
	'`A fox${$json.a ? ` in ${$json.a}` : ``}`',
	'$if($json.a, "b", $json.b)',
	'$if($json.a, $json.b, "")',
	'$ifEmpty($json.a, "")',
])('%j states what is there without a value', (code) => {
	expect(statesAlternative(code)).toBe(true);
});

it.each([
	'$json.title',
	'$json.a || $json.b',
	'$json.a ?? $json.b',
	'$json.tags.join(": ")',
	'$json.title.replace("a", "b")',
	'$json.a?.toLocaleString("en", { style: "currency" })',
	'$json.a + " in " + $json.b',
	'$json.a && "b"',
	'nullable || nullish',
	'title',
	'',
])('%j does not state what is there without a value', (code) => {
	expect(statesAlternative(code)).toBe(false);
});

it.each([
	['A {{ $json.title }} in {{ $json.color }}', 'A  in '],
	['A\n{{ $json.title }}', ' A \u200b'],
])('a text from %j with empty values is only what was typed', (written, text) => {
	const template = parseTemplate(written);

	expect(isOnlyTyped(template, text)).toBe(true);
	expect(isOnlyTyped(template, `${text}fox`)).toBe(false);
});

it.each([
	['A {{ $json.tags.join("b") }}', 'A b'],
	['{{ "A fox" }}', 'A fox'],
])('a text from %j that an expression inserted is not what was typed', (written, text) => {
	expect(isOnlyTyped(parseTemplate(written), text)).toBe(false);
});

it.each([
	['{{ $a }} in {{ $b }} on {{ $c }}', 'mug in red on white', false],
	['{{ $a }} in {{ $b }} on {{ $c }}', ' in red on white', true],
	['{{ $a }} in {{ $b }} on {{ $c }}', 'mug in \u200b on white', true],
	['{{ $a }} in {{ $b }} on {{ $c }}', 'mug in red on ', true],
	['{{ $a }}{{ $b }}', 'mug red', true],
])('whether an expression of %j may be empty in %j: %j', (written, text, may) => {
	expect(mayHaveBlank(parseTemplate(written), text)).toBe(may);
});

import { missingStep } from '../../nodes/ImageGeneration/plan/jsonPath';
import {
	FilledTemplate,
	pathsIn,
	statesAlternative,
	templateIn,
} from '../../nodes/ImageGeneration/plan/template';

it('a template is split where n8n splits it', () => {
	expect(templateIn('A {{ $a }} and {{$b}}{{ $c')).toStrictEqual({
		words: ['A ', ' and ', '', ''],
		codes: [' $a ', '$b', ' $c'],
	});
});

it.each<[code: string, paths: string[]]>([
	['$json.title', ['$json.title']],
	[' $json["My title"].text ', ['$json["My title"].text']],
	["$('On form submission').item.json.title", ["$('On form submission').item.json.title"]],
	['$("Sheet").first().json.title.trim()', ['$("Sheet").first().json.title.trim()']],
	['$node["Sheet"].json.rows[0].title', ['$node["Sheet"].json.rows[0].title']],
	['$json?.größe?.[0]', ['$json?.größe?.[0]']],
	['$json.title.slice(0, 50)', ['$json.title']],
	['$json.title?.trim().slice(0, 50)', ['$json.title?.trim()']],
	['$json.a + " in " + $json.b + $json.a', ['$json.a', '$json.b']],
	['`A $5 ${$json.a} in ${$json.b}`', ['$json.a', '$json.b']],
	['$if($json.a, $("A").item.json.b, "")', ['$json.a', '$("A").item.json.b']],
	['$json.rows.map(row => row.title).join(", ")', ['$json.rows']],
	['$(name).item', []],
	['title', []],
	['', []],
])('%j reads the values %j', (code, paths) => {
	expect(pathsIn(code)).toStrictEqual(paths);
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
	'$json.a ? $json.a : $json.b',
	'$if($json.a, $json.a, $json.b)',
	'$ifEmpty($json.a, $json.b)',
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
	['Draw {{ "a " + $json.title + "\\nin " + $json["my color"] }}', 'Draw a \n in '],
	['Draw {{ `a ${$json.title} in ${$json.color}` }}', 'Draw a  in '],
	["{{ 'a ' + $json.title }} {{ $json.color.join(', ') }}", 'a '],
])('the words in the expressions of %j are typed as well', (written, text) => {
	const template = new FilledTemplate(templateIn(written));

	expect(template.isOnlyTyped(text)).toBe(true);
	expect(template.isOnlyTyped(`${text}fox`)).toBe(false);
});

it('a call adds no text to its value', () => {
	const template = new FilledTemplate(templateIn('A {{ $json.tags.join("b") }}'));

	expect(template.isOnlyTyped('A b')).toBe(false);
});

describe('the name that an expression misses', () => {
	const json = { Title: 'a', 'My color': '', body: { text: 'b', list: [{ url: 'c' }] } };
	it.each<[code: string, found: unknown]>([
		['$json.titel', { of: '', names: ['Title', 'body', 'My color'] }],
		['$json["my colour"]', { of: '', names: ['My color', 'Title', 'body'] }],
		['$json.body.txt', { of: '$json.body', names: ['text', 'list'] }],
		['$json.body.list[0].src', { of: '$json.body.list[0]', names: ['url'] }],
		['$json.body.list[1].url', { of: '$json.body.list', names: [] }],
		['$json.Title', undefined],
		['$json.Title.text', undefined],
		['$json.toJsonString()', undefined],
		['$("Form").item.json.titel', undefined],
	])('%s: %j', (code, found) => {
		expect(missingStep(code, json)).toStrictEqual(found);
	});
});

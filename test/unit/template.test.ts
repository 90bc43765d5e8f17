import { missingStep } from '../../nodes/ImageGeneration/plan/jsonPath';
import { isPath, templateIn } from '../../nodes/ImageGeneration/plan/template';

it('a template is split where n8n splits it', () => {
	expect(templateIn('A {{ $a }} and {{$b}}{{ $c')).toStrictEqual({
		words: ['A ', ' and ', '', ''],
		codes: [' $a ', '$b', ' $c'],
	});
});

it.each([
	'$json.title',
	' $json["My title"].text ',
	"$('On form submission').item.json.title",
	'$("Sheet").first().json.title.trim()',
	'$node["Sheet"].json.rows[0].title',
	'$json?.größe?.[0]',
])('%j only reads a value', (code) => {
	expect(isPath(code)).toBe(true);
});

it.each([
	'$json.a || ""',
	'$json.a ?? "b"',
	'$json.a ? "b" : ""',
	'$if($json.a, "b", "")',
	'$json.tags.join(", ")',
	'$json.a + $json.b',
	'title',
	'',
])('%j decides what an empty value becomes', (code) => {
	expect(isPath(code)).toBe(false);
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

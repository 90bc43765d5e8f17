import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { breakingChanges } from './breakingChanges';
import { publicShape, type PublicShape } from './publicShape';

const root = resolve(__dirname, '../..');
const committed = JSON.parse(readFileSync(join(__dirname, 'contract.json'), 'utf8')) as PublicShape;

interface Parameter {
	name: string;
	default: unknown;
	required?: boolean;
	values?: unknown[];
	show?: Record<string, unknown[]>;
}

describe('the public shape that saved workflows rely on', () => {
	it('matches contract.json; `npm run contract` accepts an intended change', () => {
		// JSON drops undefined fields.
		expect(JSON.parse(JSON.stringify(publicShape(root)))).toStrictEqual(committed);
	});

	it('contains no display texts, which may change freely', () => {
		expect(JSON.stringify(committed)).not.toMatch(/displayName|description|placeholder|hint/);
	});
});

type Change = (parameters: Parameter[]) => unknown;

describe('a change of the shape', () => {
	const brokenBy = (change: Change) => {
		const copy = structuredClone(committed);
		change(copy.node.parameters as Parameter[]);
		return breakingChanges(committed, copy);
	};
	const named = (parameters: Parameter[], name: string) => {
		const found = parameters.find((parameter) => parameter.name === name);
		if (found === undefined) throw new Error(`There is no parameter ${name}`);
		return found;
	};

	it.each<[string, Change]>([
		['adds a parameter', (all) => all.push({ name: 'scale', default: '2' })],
		['adds a value', (all) => named(all, 'operation').values?.push('upscale')],
		['moves a parameter', (all) => all.reverse()],
	])('breaks nothing if it %s', (_what, change) => {
		expect(brokenBy(change)).toStrictEqual([]);
	});

	const operation = 'operation (shown for resource image; without expressions)';
	it.each<[string, Change, string]>([
		[
			'no longer shows a parameter for an operation',
			(all) => named(all, 'inputType').show?.operation?.shift(),
			'inputType (shown for operation removeBackground).default = "binary"',
		],
		[
			'changes a default',
			(all) => (named(all, 'operation').default = 'edit'),
			`${operation}.default = "generate"`,
		],
		[
			'removes a value',
			(all) => named(all, 'operation').values?.pop(),
			`${operation}.values.edit = "edit"`,
		],
		[
			'renames a parameter',
			(all) => (named(all, 'prompt').name = 'text'),
			'prompt (shown for operation generate; required).name = "prompt"',
		],
		[
			'makes a parameter required',
			(all) => (named(all, 'download').required = true),
			'download (shown for @tool false).default = true',
		],
	])('breaks workflows if it %s', (_what, change, broken) => {
		expect(brokenBy(change)).toContain(`node.parameters.${broken}`);
	});
});

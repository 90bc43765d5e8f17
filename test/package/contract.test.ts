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
}

describe('the public shape that saved workflows hang on', () => {
	it('is the one of contract.json; `npm run contract` accepts a change made on purpose', () => {
		// Through JSON, as undefined fields are not written.
		expect(JSON.parse(JSON.stringify(publicShape(root)))).toEqual(committed);
	});

	it('holds no word that is only read, so that texts may be mended freely', () => {
		expect(JSON.stringify(committed)).not.toMatch(/displayName|description|placeholder|hint/);
	});
});

describe('a change of the shape', () => {
	const changed = (change: (prompt: Parameter, operation: Parameter, all: Parameter[]) => void) => {
		const copy = structuredClone(committed);
		const all = copy.node.parameters as Parameter[];
		const [, operation, prompt] = all;
		if (operation === undefined || prompt === undefined) throw new Error('No parameters');
		change(prompt, operation, all);
		return breakingChanges(committed, copy);
	};

	it('breaks nothing where it adds a parameter or a value', () => {
		expect(
			changed((_prompt, operation, all) => {
				operation.values?.push('upscale');
				all.push({ name: 'scale', default: '2' });
			}),
		).toEqual([]);
	});

	it('breaks nothing where it moves a parameter to another place', () => {
		expect(changed((_prompt, _operation, all) => all.reverse())).toEqual([]);
	});

	it('breaks workflows where a default is another', () => {
		expect(changed((_prompt, operation) => (operation.default = 'edit'))).toEqual([
			'node.parameters.operation (shown for resource image; without expressions).default = "generate"',
		]);
	});

	it('breaks workflows where a value is gone', () => {
		expect(changed((_prompt, operation) => operation.values?.pop())).toEqual([
			'node.parameters.operation (shown for resource image; without expressions).values.edit = "edit"',
		]);
	});

	it('breaks workflows where a parameter has another name', () => {
		expect(changed((prompt) => (prompt.name = 'text'))).toContain(
			'node.parameters.prompt (shown for operation generate; required).name = "prompt"',
		);
	});

	it('breaks workflows where a parameter becomes required', () => {
		expect(
			changed((_prompt, _operation, all) => {
				const download = all.find(({ name }) => name === 'download');
				if (download !== undefined) download.required = true;
			}),
		).toContain('node.parameters.download.default = true');
	});
});

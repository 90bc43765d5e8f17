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
		expect(JSON.parse(JSON.stringify(publicShape(root)))).toEqual(committed);
	});

	it('contains no display texts, which may change freely', () => {
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

	it('breaks nothing if it adds a parameter or a value', () => {
		expect(
			changed((_prompt, operation, all) => {
				operation.values?.push('upscale');
				all.push({ name: 'scale', default: '2' });
			}),
		).toEqual([]);
	});

	it('breaks nothing if it shows a parameter for one more operation', () => {
		expect(
			changed((_prompt, _operation, all) => {
				for (const { show } of all) show?.operation?.push('upscale');
			}),
		).toEqual([]);
	});

	it('breaks workflows if it no longer shows a parameter for an operation', () => {
		expect(
			changed((_prompt, _operation, all) => {
				all.find(({ name }) => name === 'inputType')?.show?.operation?.shift();
			}),
		).toContain(
			'node.parameters.inputType (shown for operation removeBackground).default = "binary"',
		);
	});

	it('breaks nothing if it moves a parameter', () => {
		expect(changed((_prompt, _operation, all) => all.reverse())).toEqual([]);
	});

	it('breaks workflows if it changes a default', () => {
		expect(changed((_prompt, operation) => (operation.default = 'edit'))).toEqual([
			'node.parameters.operation (shown for resource image; without expressions).default = "generate"',
		]);
	});

	it('breaks workflows if it removes a value', () => {
		expect(changed((_prompt, operation) => operation.values?.pop())).toEqual([
			'node.parameters.operation (shown for resource image; without expressions).values.edit = "edit"',
		]);
	});

	it('breaks workflows if it renames a parameter', () => {
		expect(changed((prompt) => (prompt.name = 'text'))).toContain(
			'node.parameters.prompt (shown for operation generate; required).name = "prompt"',
		);
	});

	it('breaks workflows if it makes a parameter required', () => {
		expect(
			changed((_prompt, _operation, all) => {
				const download = all.find(({ name }) => name === 'download');
				if (download !== undefined) download.required = true;
			}),
		).toContain('node.parameters.download (shown for @tool false).default = true');
	});
});

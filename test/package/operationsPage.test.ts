import { readFileSync } from 'node:fs';
import type { INodeProperties } from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { codesIn, sectionsIn, tablesIn } from '../support/markdown';

const { properties } = new ImageGeneration().description;
const fieldOf = (name: string) => properties.find((field) => field.name === name);
const optionsOf = (field?: INodeProperties) => (field?.options ?? []) as INodeProperties[];
const operations = (fieldOf('operation')?.options ?? []) as Array<{ name: string; value: string }>;

const readme = readFileSync('README.md', 'utf8');
const sections = sectionsIn(readFileSync('docs/operations.md', 'utf8'), 2);

/** The text's only table with these columns. */
function tableIn(text: string, ...columns: string[]): Array<Record<string, string>> {
	const tables = tablesIn(text).filter(([row]) => columns.every((column) => column in (row ?? {})));
	expect(tables).toHaveLength(1);
	return tables[0] ?? [];
}

/** A default as the docs write it, first of the values. */
function written(value: INodeProperties['default']): string {
	if (value === true || value === false) return value ? 'on' : 'off';
	return typeof value === 'object' || value === '' ? '' : `\`${String(value)}\``;
}

/** A field as the docs must describe it. */
function expected(field: INodeProperties) {
	const values = (field.options ?? []).map((option) => ('value' in option ? option.value : ''));
	return {
		Field: field.displayName,
		Parameter: `\`${field.name}\``,
		isDefaultFirst: true,
		values: values.filter((value) => value !== '').sort(),
		// A number has it in its hint or description.
		range: /\d+ to \d+/.exec(`${field.hint ?? ''} ${field.description ?? ''}`)?.[0],
		isRequired: field.required === true,
		isFixed: field.noDataExpression === true,
	};
}

/** A field as a row of the docs describes it. */
function said(row: Record<string, string>, field?: INodeProperties) {
	const { Field, Parameter, Values = '', 'What to know': notes = '' } = row;
	return {
		Field,
		Parameter,
		isDefaultFirst: Values.startsWith(written(field?.default ?? '')),
		values: field?.type === 'options' ? codesIn(Values).sort() : [],
		range: /\d+ to \d+/.exec(Values)?.[0],
		isRequired: notes.startsWith('Required.'),
		isFixed: notes.includes('Fixed.'),
	};
}

function expectTable(section: string, fields: INodeProperties[]): void {
	const rows = tableIn(sections.get(section) ?? '', 'Field', 'Parameter', 'Values');
	const byName = new Map(fields.map((field) => [field.displayName, field]));
	expect(rows.map((row) => said(row, byName.get(row.Field ?? '')))).toStrictEqual(
		fields.map(expected),
	);
}

/** The fields of all operations. One that several have is the same, or has more values in the first. */
function distinctFields(): INodeProperties[] {
	const shown = properties.filter(
		({ name }) => !['resource', 'operation', 'options'].includes(name),
	);
	return shown.filter(
		({ displayName }, index) =>
			shown.findIndex((other) => other.displayName === displayName) === index,
	);
}

describe('docs/operations.md agrees with the code', () => {
	it('about the fields of all operations', () => {
		expectTable('Fields', distinctFields());
	});

	it('about the options', () => {
		expectTable('Options', optionsOf(fieldOf('options')));
	});
});

describe('README.md', () => {
	it('lists all operations by their names in n8n', () => {
		const rows = tableIn(readme, 'Operation', 'What you give');
		expect(rows.map(({ Operation }) => Operation)).toStrictEqual(
			operations.map(({ name }) => `**${name}**`),
		);
	});

	it('has each field of the credential, and no other', () => {
		const visible = new ImageGenerationApi().properties.filter(({ type }) => type !== 'notice');

		expect(tableIn(readme, 'Field', 'What to enter').map(({ Field }) => Field)).toStrictEqual(
			visible.map(({ displayName }) => displayName),
		);
	});
});

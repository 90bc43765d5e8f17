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

/** The fields that two operations share. */
const INPUT_IMAGES = ['inputType', 'binaryPropertyName', 'imageUrl'];

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
		isFixed: notes.includes('Takes no expressions.'),
	};
}

function expectTable(section: string, fields: INodeProperties[]): void {
	const rows = tableIn(sections.get(section) ?? '', 'Field', 'Parameter', 'Values');
	// Fields that differ only in when they are shown share a row.
	const distinct = new Map(fields.map((field) => [field.name, field]));
	const of = ({ Parameter = '' }: Record<string, string>) => distinct.get(Parameter.slice(1, -1));
	expect(rows.map((row) => said(row, of(row)))).toStrictEqual([...distinct.values()].map(expected));
}

const fieldsOf = (operation: string) =>
	properties.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(operation));
const isInputImage = ({ name }: INodeProperties) => INPUT_IMAGES.includes(name);

describe('docs/operations.md agrees with the code', () => {
	it.each([
		['Generate Image', 'generate'],
		['Edit Photo', 'edit'],
	])('about %s', (section, operation) => {
		expectTable(
			section,
			fieldsOf(operation).filter((field) => !isInputImage(field)),
		);
	});

	it('about the images that two operations work on', () => {
		expect(fieldsOf('edit').filter(isInputImage).map(expected)).toStrictEqual(
			fieldsOf('removeBackground').map(expected),
		);
		expectTable('Input images', fieldsOf('removeBackground'));
	});

	it('about the fields of every operation', () => {
		const all = properties.filter(({ displayOptions }) => !displayOptions?.show?.operation);
		const names = ['resource', 'operation', 'download', 'options'];
		expect(all.map(({ name }) => name)).toStrictEqual(names);
		expectTable(
			'Every operation',
			all.filter(({ name }) => name === 'download'),
		);
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

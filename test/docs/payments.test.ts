import { readFileSync } from 'node:fs';

import { choiceTable } from '../support/choiceTable';
import { judgeTable } from '../support/judgeTable';
import { tablesIn } from '../support/markdown';

const page = readFileSync('docs/development/payments.md', 'utf8');

/** The headings and rows of the table between two comments. */
function tableAt(name: string): string[][] {
	const [, text = ''] = new RegExp(`<!-- ${name} -->(.*)<!-- /${name} -->`, 's').exec(page) ?? [];
	const [rows = []] = tablesIn(text);
	return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
}

it.each([
	['judge', judgeTable()],
	['choice', choiceTable()],
])('payments.md has each row that the tests of the %s check, and no other', (name, rows) => {
	expect(tableAt(name)).toStrictEqual(rows);
});

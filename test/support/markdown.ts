/** A page's sections at a heading level, by heading. */
export function sectionsIn(page: string, level: number): Map<string, string> {
	const marks = '#'.repeat(level);
	const [, ...sections] = page.split(new RegExp(`^${marks} `, 'm'));
	return new Map(
		sections.map((section) => {
			const [heading = '', ...lines] = section.split('\n');
			// A higher heading also ends the section.
			const text = lines.join('\n').split(new RegExp(`^#{1,${level - 1}} `, 'm'))[0] ?? '';
			return [heading.trim(), text] as const;
		}),
	);
}

/** A text's tables, each a list of rows keyed by column heading. */
export function tablesIn(text: string): Array<Array<Record<string, string>>> {
	return [...text.matchAll(/^(?:\|.*\n?)+/gm)].map(([table]) => {
		const [heads = [], , ...rows] = table.trim().split('\n').map(cellsOf);
		return rows.map((row) =>
			Object.fromEntries(heads.map((head, place) => [head, row[place] ?? ''])),
		);
	});
}

function cellsOf(line: string): string[] {
	return line
		.replace(/^\||\|$/g, '')
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The inline code in a cell or a paragraph. */
export function codesIn(text: string): string[] {
	return [...text.matchAll(/(?<!`)(`{1,2})(?!`)(.+?)\1(?!`)/g)].map(([, , code = '']) =>
		code.trim(),
	);
}

/** A fenced block: ```` ```ts path/of/the/file.ts ````. */
export interface Block {
	language: string;
	/** What follows the language in the fence's first line. */
	file: string;
	code: string;
}

/** The fenced blocks of a page, in order. */
export function blocksIn(page: string): Block[] {
	return [...page.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(
		([, language = '', file = '', code = '']) => ({ language, file, code }),
	);
}

/** The sections of a page by their headings of a level, each without the heading. */
export function sectionsIn(page: string, level: number): Map<string, string> {
	const marks = '#'.repeat(level);
	const [, ...sections] = page.split(new RegExp(`^${marks} `, 'm'));
	return new Map(
		sections.map((section) => {
			const [heading = '', ...lines] = section.split('\n');
			// The next heading of a higher level ends it.
			const text = lines.join('\n').split(new RegExp(`^#{1,${level - 1}} `, 'm'))[0] ?? '';
			return [heading.trim(), text] as const;
		}),
	);
}

/** The tables of a text, each a list of rows by the column's heading. */
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

/** What stands in code marks in a cell or a paragraph. */
export function codesIn(text: string): string[] {
	return [...text.matchAll(/(?<!`)(`{1,2})(?!`)(.+?)\1(?!`)/g)].map(([, , code = '']) =>
		code.trim(),
	);
}

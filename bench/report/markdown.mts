import type { Part } from '../part.mjs';

/** Formats a part with its results, goals and the conditions of the measurement. */
export function section({ title, about, head, rows, goals }: Part, conditions: string): string {
	return [
		`## ${title}`,
		about,
		table(head, rows),
		table(
			['Goal', 'Result', ''],
			goals.map(({ wanted, found, met, isClear }) => [
				wanted,
				found,
				`${met ? 'met' : '**missed**'}${isClear ? '' : ', but not in every round'}`,
			]),
		),
		`<sub>${conditions}</sub>`,
	].join('\n\n');
}

export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

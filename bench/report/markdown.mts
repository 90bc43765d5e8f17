import type { Part } from '../part.mjs';

/** A part with its table and goals, and under what they came about. */
export function section({ title, about, head, rows, goals }: Part, circumstances: string): string {
	return [
		`## ${title}`,
		about,
		table(head, rows),
		table(
			['goal', 'found', ''],
			goals.map(({ wanted, found, met, isClear }) => [
				wanted,
				found,
				`${met ? 'met' : '**missed**'}${isClear ? '' : ', but the rounds differ by more than that'}`,
			]),
		),
		`<sub>${circumstances}</sub>`,
	].join('\n\n');
}

export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

import { groupsOfTexts } from '../longTexts.mjs';
import type { StartPart } from '../part.mjs';

/** The ways to select images. */
const figures = ['Image URL', 'Input Data Field Name(s)', 'All Images of the Item'];

/** How long texts from outside block n8n while they are read. */
export const longTextsPart: StartPart = (lab) => {
	const cases = Object.entries(groupsOfTexts).map(([group, texts]) => ({
		name: group,
		isOurs: true,
		measure: async (build: string) => {
			const all: number[][] = [];
			for (const text of Object.keys(texts)) {
				all.push(await lab.measureText({ package: build, group, text }));
			}
			return figures.map((_name, figure) => Math.max(...all.map((blocks) => blocks[figure] ?? 0)));
		},
	}));
	return {
		title: '(h) Long texts from outside',
		about:
			'The longest time in milliseconds for which n8n answers nothing else while the node reads a value: of ' +
			'each group the worst. The item has it as well.',
		head: '',
		figures: figures.map((name) => ({ name, digits: 0 })),
		cases,
		goals: cases.flatMap((of) => figures.map((_name, figure) => ({ of, figure, max: 100 }))),
	};
};

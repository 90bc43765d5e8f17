import { longTexts } from '../longTexts.mjs';
import type { StartPart } from '../part.mjs';

/** How long texts from outside block n8n while they are read. */
export const longTextsPart: StartPart = (lab) => {
	const cases = Object.keys(longTexts).map((text) => ({
		name: text,
		isOurs: true,
		measure: async (build: string) => await lab.measureText({ package: build, text }),
	}));
	const figures = ['Image URL', 'Input Data Field Name(s)', 'All Images of the Item'];
	return {
		title: '(h) Long texts from outside',
		about:
			'The longest time in milliseconds for which n8n answers nothing else while the node reads a text, the longest that n8n accepts unless said otherwise. The item has it as well.',
		head: '',
		figures: figures.map((name) => ({ name, digits: 0 })),
		cases,
		goals: cases.flatMap((of) => figures.map((_name, figure) => ({ of, figure, max: 100 }))),
	};
};

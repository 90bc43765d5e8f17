import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import { placeName } from '../../nodes/ImageGeneration/values/placeName';
import { images } from '../support/planImages';
import { planningRun } from '../support/planningRun';

/** How messages name the jobs of these prompts. */
async function namesOf(...prompts: string[]): Promise<string[]> {
	const items = prompts.map(() => ({ json: {} }));
	const parameters = (index: number) => ({
		operation: 'generate',
		prompt: prompts[index],
		size: 'square',
		version: 'standard',
		download: true,
	});
	return (await planAll(planningRun({ items, parameters }))).map(placeName);
}

const photo = (color: string) => `A professional product photo of a ${color} running shoe on white`;

describe('a message that names one of several jobs', () => {
	it('shows the words in which its prompt differs from the others of a template', async () => {
		expect(await namesOf(photo('red'), photo('blue'), photo('black'))).toStrictEqual([
			'Item 1, "… red running shoe on white"',
			'Item 2, "… blue running shoe on white"',
			'Item 3, "… black running shoe on white"',
		]);
	});

	it('shows words that stand beyond all that it can show of a prompt', async () => {
		const long = 'Our house style: soft light, no text.\n'.repeat(50);

		expect(await namesOf(`${long} Red foxes`, `${long} Hens`)).toStrictEqual([
			'Item 1, "… Red foxes"',
			'Item 2, "… Hens"',
		]);
	});

	it.each<[what: string, first: string, second: string]>([
		['are short', 'A photo of a running red fox', 'A photo of a running blue fox'],
		['differ there', `A fox. ${photo('red')}`, `A hen. ${photo('red')}`],
		['are the same', photo('red'), photo('red')],
	])('shows the first words of prompts that %s', async (_what, first, second) => {
		const [name] = await namesOf(first, second);

		expect(name?.slice(0, 19)).toBe(`Item 1, "${first.slice(0, 10)}`);
	});

	it('shows the first words of a prompt that is no more than what the others begin with', async () => {
		const start = 'A professional product photo of a shoe.';

		expect(await namesOf(start, `${start} It is red.`)).toStrictEqual([
			`Item 1, "${start}"`,
			'Item 2, "… It is red."',
		]);
	});

	it.each([
		['blue', 'blueish'],
		['🟥', '🟦'],
		['crème', 'crémeux'],
	])('shows whole words and emojis: %s and %s', async (one, other) => {
		expect(await namesOf(photo(one), photo(other))).toStrictEqual([
			`Item 1, "… ${one} running shoe on white"`,
			`Item 2, "… ${other} running shoe on white"`,
		]);
	});

	it('shows the part in which the names of files differ', async () => {
		const [red, blue] = ['red', 'blue'].map(
			(color) => `product-photo-of-the-running-shoe-${color}`,
		);
		const items = [{ json: {}, binary: images(`${red}`, `${blue}`) }];
		const parameters = { operation: 'removeBackground', inputType: 'all', download: true };

		expect((await planAll(planningRun({ items, parameters }))).map(placeName)).toStrictEqual([
			'Item 1, "… red.gif"',
			'Item 1, "… blue.gif"',
		]);
	});
});

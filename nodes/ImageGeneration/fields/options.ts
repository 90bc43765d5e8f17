import { BadInput } from '../failures/failures';
import { boolean, choice, NOT_ON_TOOL, optional, switchOption, text, wholeNumber } from './field';
import type { Fields, ValuesOf } from './field';
import { lineOfText, requiredText } from './readValue';

/** Whether the output contains the image. */
export const download = boolean({
	displayName: 'Image as File',
	default: true,
	description:
		'Whether the next node gets the image as a file. If off, it gets only the link, in output_url.',
	displayOptions: { show: NOT_ON_TOOL },
});

/** Where a downloaded image goes. */
export const outputPropertyName = text((field, value) => requiredText(field, value).trim(), {
	displayName: 'Put Output File in Field',
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output field to put the image file in',
	description: 'Where the next node finds the image (default data)',
	displayOptions: { show: { ...NOT_ON_TOOL, '/download': [true] } },
});

/** The options that can differ between items. */
export const itemOptions = {
	fileName: text(lineOfText, {
		displayName: 'File Name',
		displayOptions: { show: NOT_ON_TOOL },
		placeholder: 'e.g. {{ $json.sku }}',
		description:
			'Name of the file, without .jpg or .png. Equal names of a run are numbered. If empty, it comes from the prompt or the input file.',
	}),
	includeInputFields: switchOption({
		displayName: 'Include Input Fields',
		displayOptions: { show: NOT_ON_TOOL },
		description:
			"Whether to keep the input's fields and files in the output. If the result has a field of the same name, you get the result's.",
	}),
	timeout: wholeNumber({
		displayName: 'Timeout (Seconds)',
		range: { min: 1, max: 3600, unit: 'seconds' },
		default: 600,
		description: (range) => `Seconds to wait for the service, and for each download (${range})`,
	}),
} satisfies Fields;

export type ItemOptions = ValuesOf<typeof itemOptions>;

/** The options of a whole run. The panel allows no expressions there: the first item's count. */
export const runOptions = {
	concurrency: wholeNumber({
		displayName: 'Concurrency',
		range: { min: 1, max: 100 },
		default: 5,
		description: (range) =>
			`Images to make at the same time (${range}). The output keeps the order of the input.`,
	}),
	dryRun: switchOption({
		displayName: 'Dry Run',
		description:
			'Whether to check everything and buy nothing. The output shows what would be sent.',
	}),
	maxImages: wholeNumber({
		displayName: 'Max Images',
		range: { min: 1, max: Infinity },
		default: 10,
		description: (range) =>
			`The most images that this node buys in one execution, with all loops and retries (${range})`,
	}),
	maxImagesPerDay: wholeNumber({
		displayName: 'Max Images per Day',
		range: { min: 1, max: Infinity },
		default: 50,
		description: (range) =>
			`The most images that this node buys in any 24 hours, in all executions (${range}). With a Purchase Log, the count goes on after a restart of n8n.`,
	}),
	purchaseLog: {
		...text(nameOfTable, {
			displayName: 'Purchase Log',
			default: 'Image Purchases',
			placeholder: 'e.g. Image Purchases',
			description:
				'A data table that lists every image you pay for, so that the node finds it after a restart of n8n. The node makes the table. Needs n8n 2.10 or newer.',
		}),
		// The default is for those who add it.
		absent: undefined,
	},
	reuse: optional(
		choice({
			displayName: 'Reuse Images',
			displayOptions: { show: NOT_ON_TOOL },
			values: {
				always: {
					name: 'Always',
					description: 'The same request is bought once, and every run uses its image',
				},
				never: {
					name: 'Never',
					description:
						'Every run buys new images, also cut-outs. Only one that nobody has seen is used.',
				},
			},
			description:
				'When a run uses an image that is paid for, instead of buying the same again. Without this option: in the editor, after a run that did not end well, and for the same photo in Remove Background.',
		}),
	),
} satisfies Fields;

export type RunOptions = ValuesOf<typeof runOptions>;

/**
 * Reads the name of the Purchase Log's table.
 * @returns an empty text without the option
 * @throws BadInput if its field was cleared, because nothing would be listed
 */
function nameOfTable(field: string, value: unknown): string {
	if (value === undefined) return '';
	const name = lineOfText(field, value);
	if (name !== '') return name;
	throw new BadInput(
		`'${field}' is empty.`,
		'Enter a name, such as Image Purchases, and the node creates the table. If you want no list, remove the option.',
	);
}

/** For operations that can return a different image for each request. */
export const numberOfImages = optional(
	wholeNumber({
		displayName: 'Number of Images',
		range: { min: 1, max: 50 },
		default: 1,
		description: (range) =>
			`Images to make from each prompt or input image (${range}). You pay for each.`,
	}),
);

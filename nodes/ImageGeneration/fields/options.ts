import { BadInput } from '../failures/failures';
import { boolean, choice, NOT_ON_TOOL, optional, switchOption, text, wholeNumber } from './field';
import type { Fields, ValuesOf } from './field';
import { lineOfText, requiredText } from './readValue';

/** Whether the output contains the image. */
export const download = boolean({
	displayName: 'Download Image',
	default: true,
	description: 'Whether to output the image as a file. If off, the output contains only its link.',
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
			'How to name the image file, without .jpg or .png. Equal names get a number. If empty, the name comes from the prompt or the input file.',
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
		description: (range) =>
			`How many seconds to wait for the service, and for each download (${range})`,
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
			`How many images to process at once (${range}). Output keeps the input order.`,
	}),
	dryRun: switchOption({
		displayName: 'Dry Run',
		description:
			'Whether to check everything and buy nothing. The output shows what each request would contain.',
	}),
	maxImages: wholeNumber({
		displayName: 'Max Images',
		range: { min: 1, max: Infinity },
		default: 10,
		description: (range) =>
			`How many images this node may buy at most in one execution, in all loops and retries together (${range}). Without this option there is no limit.`,
	}),
	maxImagesPerDay: wholeNumber({
		displayName: 'Max Images per Day',
		range: { min: 1, max: Infinity },
		default: 50,
		description: (range) =>
			`How many images this node may buy at most in any 24 hours, in all executions together (${range}). With a Purchase Log, the count survives a restart of n8n. Without this option there is no limit.`,
	}),
	purchaseLog: {
		...text(nameOfTable, {
			displayName: 'Purchase Log',
			default: 'Image Purchases',
			placeholder: 'e.g. Image Purchases',
			description:
				'Where to list every image that you pay for: the name of an n8n data table. If n8n crashes or restarts, the next run uses what the list has. The node creates the table. Needs n8n 2.10 or newer.',
		}),
		// The default is for those who add it.
		absent: undefined,
	},
	reuse: optional(
		choice({
			displayName: 'Reuse Images',
			displayOptions: { show: NOT_ON_TOOL },
			values: {
				always: { name: 'Always', description: 'In every run' },
				never: {
					name: 'Never',
					description: 'Every run buys its own images, except those of runs that did not end well',
				},
			},
			description:
				'When to use an image again instead of paying twice for the same request. Without this option, manual runs do. The node remembers images for three days until n8n restarts, or for good with a Purchase Log.',
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
		range: { min: 1, max: 10 },
		default: 1,
		description: (range) =>
			`How many images to make from each prompt or input image (${range}). You pay for each of them.`,
	}),
);

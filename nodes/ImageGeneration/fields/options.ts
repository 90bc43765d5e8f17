import { NOT_ON_TOOL, type Fields, type ValuesOf } from './field';
import { boolean, choice, number, optional, text } from './kinds';

/** The options that can differ between items. */
export const itemOptions = {
	allowOtherHosts: boolean({
		displayName: 'Allow Other Hosts',
		displayOptions: { show: NOT_ON_TOOL },
		description:
			"Whether to download images that are on another server than the one in 'Base URL'. It never receives the API key.",
	}),
	fileName: text({
		displayName: 'File Name',
		displayOptions: { show: NOT_ON_TOOL },
		placeholder: 'e.g. {{ $json.sku }}',
		description:
			'Name of the image file. The node sets the extension for the image type and numbers duplicate names. Leave empty to name the file after its source.',
	}),
	includeInputFields: boolean({
		displayName: 'Include Input Fields',
		displayOptions: { show: NOT_ON_TOOL },
		description:
			"Whether to add the input item's fields and files to the output. If names clash, the result's fields are kept.",
	}),
	maxRetries: number({
		displayName: 'Max Retries',
		range: { min: 0, max: 10 },
		default: 3,
		description: (range) =>
			`How many times to retry downloads, and requests that the service did not charge (${range})`,
	}),
	retryUnclearOutcome: boolean({
		displayName: 'Retry Unclear Outcomes',
		description:
			'Whether to retry requests that may already have been charged, such as after a timeout. You may pay twice for an image.',
	}),
	timeout: number({
		displayName: 'Timeout (Seconds)',
		range: { min: 1, max: 3600, unit: 'seconds' },
		default: 600,
		description: (range) =>
			`Maximum seconds to wait for the service to respond, and for each download (${range})`,
	}),
} satisfies Fields;

export type ItemOptions = ValuesOf<typeof itemOptions>;

/** The options of a whole run. They allow no expressions, so they are read from the first item. */
export const runOptions = {
	concurrency: number({
		displayName: 'Concurrency',
		range: { min: 1, max: 100 },
		default: 5,
		noDataExpression: true,
		description: (range) =>
			`How many images to process at once (${range}). Output keeps the input order.`,
	}),
	dryRun: boolean({
		displayName: 'Dry Run',
		noDataExpression: true,
		description:
			'Whether to check everything and buy nothing. The output shows what would be sent for each image.',
	}),
	maxImages: optional(
		number({
			displayName: 'Max Images',
			range: { min: 1, max: Infinity },
			default: 10,
			noDataExpression: true,
			description: (range) =>
				`Maximum number of images this node may buy in one execution, including loops and retries (${range}). Without this option there is no limit.`,
		}),
	),
	requestInterval: number({
		displayName: 'Request Interval (ms)',
		range: { min: 0, max: 3_600_000, unit: 'milliseconds' },
		default: 0,
		noDataExpression: true,
		description: (range) =>
			`Minimum milliseconds between the starts of two paid requests (${range})`,
	}),
	purchaseLog: text({
		displayName: 'Purchase Log',
		placeholder: 'e.g. Image Purchases',
		noDataExpression: true,
		description:
			'Name of an n8n data table that lists every image this node pays for. With it, nothing is bought again, even if n8n is killed or restarted. The node creates the table; on n8n 1, create it yourself and enter its ID.',
	}),
	reuse: choice({
		displayName: 'Reuse Images',
		noDataExpression: true,
		values: {
			never: { name: 'Never', description: 'Every run buys its own images' },
			manualRuns: {
				name: 'In Manual Runs',
				description: 'While you build and test the workflow',
			},
			always: { name: 'Always', description: 'In every run' },
		},
		description:
			'Whether to deliver an image again, instead of buying a new one, if this node bought it for the same request in the past day',
	}),
} satisfies Fields;

export type RunOptions = ValuesOf<typeof runOptions>;

/** For operations that can return a different image for each request. */
export const numberOfImages = number({
	displayName: 'Number of Images',
	range: { min: 1, max: 10 },
	default: 1,
	description: (range) =>
		`How many images to make from each prompt or input image (${range}). Each one is a separate paid request.`,
});

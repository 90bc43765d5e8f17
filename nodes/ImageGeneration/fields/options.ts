import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { requiredText, trueOrFalse, wholeNumber, type Range } from './check';

/** A number option. The panel and the check share its range and default. */
interface NumberOption extends Range {
	displayName: string;
	name: string;
	default: number;
}

const CONCURRENCY = {
	displayName: 'Concurrency',
	name: 'concurrency',
	min: 1,
	max: 100,
	default: 5,
};
const MAX_RETRIES = { displayName: 'Max Retries', name: 'maxRetries', min: 0, max: 10, default: 3 };
/** The panel offers this default; without the option there is no limit. */
const MAX_IMAGES = {
	displayName: 'Max Images',
	name: 'maxImages',
	min: 1,
	max: Infinity,
	default: 10,
};
const NUMBER_OF_IMAGES = {
	displayName: 'Number of Images',
	name: 'numberOfImages',
	min: 1,
	max: 10,
	default: 1,
};
const REQUEST_INTERVAL = {
	displayName: 'Request Interval (ms)',
	name: 'requestInterval',
	min: 0,
	max: 3_600_000,
	unit: 'milliseconds',
	default: 0,
};
const TIMEOUT = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	min: 1,
	max: 3600,
	unit: 'seconds',
	default: 600,
};
const DEFAULT_OUTPUT_FIELD = 'data';

/** The options that every operation has. */
export const commonOptions: INodeProperties[] = [
	{
		displayName: 'Allow Other Hosts',
		name: 'allowOtherHosts',
		type: 'boolean',
		default: false,
		description:
			"Whether to download images from hosts other than the one in 'Base URL'. The API key is never sent to them.",
	},
	numberOption(
		CONCURRENCY,
		`How many images to process at once (${rangeText(CONCURRENCY)}). Output keeps the input order.`,
		{ noDataExpression: true },
	),
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.sku }}',
		description:
			'Name of the image file. The node sets the extension for the image type and numbers duplicate names. Leave empty to name the file after its source.',
	},
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: false,
		description:
			"Whether to add the input item's fields and files to the output. If names clash, the result's fields are kept.",
	},
	numberOption(
		MAX_IMAGES,
		'Maximum number of images this node may buy in one execution, including loops and retries (1 or more). Without this option there is no limit.',
		{ noDataExpression: true },
	),
	numberOption(
		MAX_RETRIES,
		`How many times to retry requests that were definitely not charged, and downloads (${rangeText(MAX_RETRIES)})`,
	),
	{
		displayName: 'Put Output File in Field',
		name: 'outputPropertyName',
		type: 'string',
		default: DEFAULT_OUTPUT_FIELD,
		placeholder: 'e.g. data',
		hint: 'The name of the output field to put the image file in',
		description: `The next node finds the image under this name (default ${DEFAULT_OUTPUT_FIELD})`,
		displayOptions: { show: { '/download': [true] } },
	},
	numberOption(
		REQUEST_INTERVAL,
		`Minimum milliseconds between the starts of two paid requests (${rangeText(REQUEST_INTERVAL)})`,
		{ noDataExpression: true },
	),
	{
		displayName: 'Reuse in Manual Runs',
		name: 'reuseInManualRuns',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether a manual run reuses images that an earlier manual run bought for the same requests in the past hour. Production runs ignore this option.',
	},
	{
		displayName: 'Retry Unclear Outcomes',
		name: 'retryUnclearOutcome',
		type: 'boolean',
		default: false,
		description:
			'Whether to retry requests that may already have been charged, such as after a timeout. You may pay twice for an image.',
	},
	numberOption(
		TIMEOUT,
		`Maximum seconds to wait for the service to respond, and for each download (${rangeText(TIMEOUT)})`,
	),
];

/** For operations that can return a different image for each request. */
export const numberOfImagesOption: INodeProperties = numberOption(
	NUMBER_OF_IMAGES,
	`How many images to make from each prompt or input image (${rangeText(NUMBER_OF_IMAGES)}). Each one is a separate paid request.`,
);

/** The options that can differ between items. */
export interface ItemOptions {
	allowOtherHosts: boolean;
	/** Empty for the default name. */
	fileName: string;
	includeInputFields: boolean;
	/** 0 to 10. */
	maxRetries: number;
	retryUnclearOutcome: boolean;
	/** Seconds, 1 to 3600. */
	timeout: number;
}

/** @throws BadInput if a value is out of range. */
export function readItemOptions(options: IDataObject): ItemOptions {
	const { fileName = '' } = options;
	return {
		allowOtherHosts: trueOrFalse('Allow Other Hosts', options.allowOtherHosts ?? false),
		fileName: typeof fileName === 'object' ? '' : String(fileName).trim(),
		includeInputFields: trueOrFalse('Include Input Fields', options.includeInputFields ?? false),
		maxRetries: readNumber(MAX_RETRIES, options),
		retryUnclearOutcome: trueOrFalse(
			'Retry Unclear Outcomes',
			options.retryUnclearOutcome ?? false,
		),
		timeout: readNumber(TIMEOUT, options),
	};
}

/** @throws BadInput unless it is a whole number from 1 to 10. */
export function readNumberOfImages(options: IDataObject): number {
	return readNumber(NUMBER_OF_IMAGES, options);
}

/** @throws BadInput if the name is empty or can't be used as a field name. */
export function readOutputField(options: IDataObject): string {
	const field = 'Put Output File in Field';
	const name = requiredText(field, options.outputPropertyName ?? DEFAULT_OUTPUT_FIELD).trim();
	// Assigning to it would set the object's prototype and lose the image.
	if (name === '__proto__') throw new BadInput(`'${field}' is "__proto__". Choose another name.`);
	return name;
}

/** The options of a whole run. They allow no expressions, so they are read from the first item. */
export interface RunOptions {
	/** 1 to 100. */
	concurrency: number;
	/** Milliseconds, 0 to an hour. */
	requestInterval: number;
	/** 1 or more; undefined means no limit. */
	maxImages: number | undefined;
	reuseInManualRuns: boolean;
}

/** The names of {@link RunOptions}. */
export const runOptionNames = [
	'concurrency',
	'requestInterval',
	'maxImages',
	'reuseInManualRuns',
] as const satisfies ReadonlyArray<keyof RunOptions>;

/** @throws BadInput if a value is out of range. */
export function readRunOptions(options: IDataObject): RunOptions {
	return {
		concurrency: readNumber(CONCURRENCY, options),
		requestInterval: readNumber(REQUEST_INTERVAL, options),
		maxImages: isSet(options.maxImages) ? readNumber(MAX_IMAGES, options) : undefined,
		reuseInManualRuns: trueOrFalse('Reuse in Manual Runs', options.reuseInManualRuns ?? false),
	};
}

/**
 * Sets no `minValue` or `maxValue`: the editor silently replaces a number outside them (n8n 2.40.3).
 * The check before the run names the allowed range instead.
 */
function numberOption(
	{ displayName, name, default: value }: NumberOption,
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName, name, type: 'number', default: value, description, ...more };
}

function rangeText({ min, max, default: value }: NumberOption): string {
	return `${min} to ${max}, default ${value}`;
}

function readNumber(option: NumberOption, options: IDataObject): number {
	return wholeNumber(option.displayName, options[option.name] ?? option.default, option);
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null;
}

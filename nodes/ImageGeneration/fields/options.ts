import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { trueOrFalse, wholeNumber } from './check';

/** The entries of the Options collection that every operation has. */
export const commonOptions: INodeProperties[] = [
	{
		displayName: 'Allow Other Hosts',
		name: 'allowOtherHosts',
		type: 'boolean',
		default: false,
		description:
			'Whether images may also be fetched from other hosts than the one of the Base URL. The API key never goes there.',
	},
	{
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 5,
		description: 'How many items are worked on at a time, 1 to 100. The output keeps the order.',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.sku }}',
		description:
			'How to name the image file. The extension follows the type of the image. By default the name tells where the image comes from.',
	},
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: false,
		description:
			"Whether to put the input item's fields and files into the output beside the result, whose fields win over those of the same name",
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10 },
		default: 3,
		description:
			'How often a call is repeated that surely was not charged, because the service was not reached or asked to wait; 0 to 10. Downloads are repeated as often.',
	},
	{
		displayName: 'Request Interval',
		name: 'requestInterval',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 3_600_000 },
		default: 0,
		description: 'The shortest time between the starts of two items, in milliseconds',
	},
	{
		displayName: 'Retry Unclear Outcomes',
		name: 'retryUnclearOutcome',
		type: 'boolean',
		default: false,
		description:
			'Whether to repeat a call even if it may have been charged, as after a timeout or a cut connection. An image may then be paid for twice.',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 600,
		description:
			'How long to wait without a sign of the service, and how long a download may take, in seconds, 1 to 3600',
	},
];

/** What of the options may differ from item to item. */
export interface ItemOptions {
	allowOtherHosts: boolean;
	/** As given; empty for the default name. */
	fileName: string;
	includeInputFields: boolean;
	/** 0 to 10. */
	maxRetries: number;
	retryUnclearOutcome: boolean;
	/** Seconds, 1 to 3600. */
	timeout: number;
}

/** @throws BadInput when a number is out of its range. */
export function readItemOptions(options: IDataObject): ItemOptions {
	const { fileName = '', maxRetries = 3, timeout = 600 } = options;
	return {
		allowOtherHosts: trueOrFalse('Allow Other Hosts', options.allowOtherHosts ?? false),
		fileName: typeof fileName === 'object' ? '' : String(fileName).trim(),
		includeInputFields: trueOrFalse('Include Input Fields', options.includeInputFields ?? false),
		maxRetries: wholeNumber('Max Retries', maxRetries, { min: 0, max: 10 }),
		retryUnclearOutcome: trueOrFalse(
			'Retry Unclear Outcomes',
			options.retryUnclearOutcome ?? false,
		),
		timeout: wholeNumber('Timeout', timeout, { min: 1, max: 3600, unit: 'seconds' }),
	};
}

/** What holds for the whole run; these two take no expressions, so the first item has them. */
export interface RunOptions {
	/** 1 to 100. */
	concurrency: number;
	/** Milliseconds, 0 to an hour. */
	requestInterval: number;
}

/** @throws BadInput when a number is out of its range. */
export function readRunOptions({ concurrency, requestInterval }: IDataObject): RunOptions {
	return {
		concurrency: wholeNumber('Concurrency', concurrency, { min: 1, max: 100 }),
		requestInterval: wholeNumber('Request Interval', requestInterval, {
			min: 0,
			max: 3_600_000,
			unit: 'milliseconds',
		}),
	};
}

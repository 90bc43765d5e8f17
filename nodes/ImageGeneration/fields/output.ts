import type { INodeProperties } from 'n8n-workflow';

/** What comes out beside the job result. */
export const outputFields: INodeProperties[] = [
	{
		displayName: 'Download Image',
		name: 'download',
		type: 'boolean',
		default: true,
		description:
			'Whether to put the finished image into the output as a file. Otherwise the output only holds its link.',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'outputPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the output field to put the image file in',
		description: 'The next node finds the image under this name',
		displayOptions: { show: { download: [true] } },
	},
];

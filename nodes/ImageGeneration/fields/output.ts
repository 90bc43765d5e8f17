import { defineFields } from './defineFields';

/** The fields that control what is output in addition to the job result. */
export const outputFields = defineFields([
	{
		displayName: 'Download Image',
		name: 'download',
		type: 'boolean',
		default: true,
		description:
			'Whether to output the image as a file. If off, the output contains only its link.',
	},
]);

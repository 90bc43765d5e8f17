import { tools } from '../../tools';
import type { Parameter } from '../../tools/parameters';
import type { ToolDefinition } from '../../tools/tool';

/**
 * Describes the service in OpenAPI 3.0, from the tools' own parameters. sandbox/reference.md offers it to people who
 * generate a client or look up a parameter.
 */
export function openApi(base: string) {
	return {
		openapi: '3.0.3',
		info: {
			title: 'Image generation sandbox',
			version: '1',
			description: 'A local implementation of the image generation API. No AI model runs in it.',
		},
		servers: [{ url: base }],
		security: [{ apiKey: [] }],
		paths: {
			...Object.fromEntries(tools.map((tool) => [`/api/${tool.id}`, { post: operation(tool) }])),
			'/job-view-file/{job}/outputs/{file}': {
				get: {
					operationId: 'download',
					summary: 'Downloads the file of a job result',
					security: [],
					parameters: ['job', 'file'].map((name) => ({
						name,
						in: 'path',
						required: true,
						schema: text,
					})),
					responses: {
						200: { description: 'The file', content: { 'image/*': { schema: binary } } },
						404: { $ref: '#/components/responses/Refusal' },
					},
				},
			},
		},
		components: {
			securitySchemes: {
				apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
			},
			schemas: {
				JobResult: {
					type: 'object',
					required: ['id', 'output_url'],
					properties: {
						id: text,
						output_url: { type: 'string', format: 'uri' },
					},
				},
				Refusal: {
					type: 'object',
					description: 'Has `status` if the key is refused, otherwise `err`.',
					properties: {
						err: text,
						status: text,
					},
				},
			},
			responses: {
				Refusal: { description: 'Nothing was charged', content: json('Refusal') },
			},
		},
	};
}

const text = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const json = (name: string) => ({
	'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});

function operation({ id, summary, parameters }: ToolDefinition) {
	const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
	const body = (image: object) => ({
		schema: {
			type: 'object',
			required,
			properties: Object.fromEntries(
				parameters.map((parameter) => [parameter.name, property(parameter, image)]),
			),
		},
	});
	const address = { type: 'string', format: 'uri' };
	return {
		operationId: id,
		summary,
		requestBody: {
			required: true,
			content: {
				'multipart/form-data': body({ anyOf: [binary, address] }),
				'application/json': body(address),
				'application/x-www-form-urlencoded': body(address),
			},
		},
		responses: {
			200: { description: 'Charged', content: json('JobResult') },
			...Object.fromEntries(
				[400, 401, 402, 403, 413, 415, 429].map((status) => [
					status,
					{ $ref: '#/components/responses/Refusal' },
				]),
			),
		},
	};
}

function property({ kind, description, usedFor, values, ...parameter }: Parameter, image: object) {
	const use = usedFor ? ` Used only when image_generator_version is ${usedFor}.` : '';
	return {
		...(kind === 'image' ? image : text),
		description: `${description}${use}`,
		...(parameter.default && { default: parameter.default }),
		...(values && { enum: values }),
	};
}

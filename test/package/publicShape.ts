import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

/** Everything that saved workflows rely on, without display texts. */
export interface PublicShape {
	node: Record<string, unknown>;
	credential: Record<string, unknown>;
	/** Fields of the output JSON, by operation. */
	output: Record<string, string[]>;
}

/** Reads the public shape from the sources of a checkout. */
export function publicShape(root: string): PublicShape {
	const load = createRequire(join(root, 'package.json'));
	const { ImageGeneration } = load('./nodes/ImageGeneration/ImageGeneration.node.ts') as {
		ImageGeneration: new () => INodeType;
	};
	const { ImageGenerationApi } = load('./credentials/ImageGenerationApi.credentials.ts') as {
		ImageGenerationApi: new () => ICredentialType;
	};
	const { name } = load('./package.json') as { name: string };
	const { description } = new ImageGeneration();
	const credential = new ImageGenerationApi();
	return {
		node: {
			type: `${name}.${description.name}`,
			version: description.version,
			defaultName: description.defaults.name,
			inputs: description.inputs,
			outputs: description.outputs,
			usableAsTool: description.usableAsTool,
			credentials: description.credentials?.map(({ name: used, required }) => ({
				name: used,
				required,
			})),
			parameters: parameters(description.properties),
		},
		credential: {
			name: credential.name,
			parameters: parameters(credential.properties),
		},
		output: outputOf(join(root, 'nodes/ImageGeneration/__schema__')),
	};
}

/** Notices are display texts. */
function parameters(fields: INodeProperties[]): Array<Record<string, unknown>> {
	return fields.filter(({ type }) => type !== 'notice').map(parameter);
}

/** The fields' order puts the name above its changes in a diff. */
function parameter(field: INodeProperties): Record<string, unknown> {
	const { name, type, required, noDataExpression, displayOptions, options } = field;
	const isCollection = type === 'collection';
	return {
		name,
		type,
		default: field.default,
		...(required === true && { required }),
		...(noDataExpression === true && { noDataExpression }),
		...(field.typeOptions?.password === true && { password: true }),
		...(displayOptions?.show && { show: displayOptions.show }),
		...(displayOptions?.hide && { hide: displayOptions.hide }),
		...(options && { [isCollection ? 'entries' : 'values']: options.map(entry) }),
	};
}

function entry(option: INodePropertyOptions | INodeProperties | INodePropertyCollection): unknown {
	if ('type' in option) return parameter(option);
	return 'value' in option ? option.value : option.name;
}

function outputOf(folder: string): Record<string, string[]> {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.sort();
	return Object.fromEntries(
		files.map((file) => {
			const { properties } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
				properties: object;
			};
			return [basename(file, '.json'), Object.keys(properties)];
		}),
	);
}

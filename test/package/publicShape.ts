import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';

/** What only n8n's panel and its builders show, which can change at any time. */
const DISPLAYED = [
	'displayName',
	'description',
	'hint',
	'placeholder',
	'action',
	'builderHint',
	'rows',
	'numberStepSize',
	'isNodeSetting',
	'testedBy',
];

/** Reads all that saved workflows rely on from the sources of a checkout. @returns JSON */
export function publicShape(root: string): string {
	const load = createRequire(join(root, 'package.json'));
	const { ImageGeneration } = load('./nodes/ImageGeneration/ImageGeneration.node.ts') as {
		ImageGeneration: new () => INodeType;
	};
	const { ImageGenerationApi } = load('./credentials/ImageGenerationApi.credentials.ts') as {
		ImageGenerationApi: new () => ICredentialType;
	};
	const packageName = (load('./package.json') as { name: string }).name;
	const { name, version, defaults, inputs, outputs, usableAsTool, credentials, properties } =
		new ImageGeneration().description;
	const folder = join(root, 'nodes/ImageGeneration/__schema__');
	const schemas = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => join(folder, file));
	const type = `${packageName}.${name}`;
	const credential = new ImageGenerationApi();
	const shape = {
		node: { type, version, defaults, inputs, outputs, usableAsTool, credentials, properties },
		credential: { name: credential.name, properties: credential.properties },
		output: Object.fromEntries(schemas.map((file) => [basename(file, '.json'), load(file)])),
	};
	return JSON.stringify(shape, withoutTexts);
}

/** Replaces a value for JSON.stringify: of an option only its value counts, and a notice is a text. */
function withoutTexts(key: string, value: unknown): unknown {
	if (DISPLAYED.includes(key)) return undefined;
	if (Array.isArray(value)) return value.filter((entry) => !isNotice(entry));
	if (typeof value !== 'object' || value === null || !('name' in value)) return value;
	// The name comes first, so that a diff shows it above what changed.
	return 'value' in value ? value.value : Object.assign({ name: value.name }, value);
}

function isNotice(entry: unknown): boolean {
	return typeof entry === 'object' && entry !== null && 'type' in entry && entry.type === 'notice';
}

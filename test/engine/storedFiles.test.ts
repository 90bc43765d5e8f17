import type {
	IBinaryData,
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { NODE } from '../support/engine';
import { execute } from '../support/execute';
import { useFixture } from '../support/fixture';
import { gif, sha256 } from '../support/images';
import { itemsNode } from '../support/itemsNode';
import { nodeIn } from '../support/remembered';
import { removeBackground } from '../support/runs';

const fixture = useFixture({ echoImages: true });
const sentHashes = () => fixture.calls().map(({ files }) => files[0]?.sha256);

/** Runs Remove Background behind a node that leaves out the files of an earlier one, and adds JSON. */
async function run(binaryPropertyName: string, form: INodeExecutionData, json: object = {}) {
	const main = (node: string) => [[{ node, type: 'main', index: 0 } as const]];
	const nodeOf = (name: string, type: string, parameters = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	});
	const connections: IConnections = {
		"Ann's form": { main: main('Edit') },
		Edit: { main: main(NODE) },
	};
	const edited = { json: { ...json }, pairedItem: { item: 0 } } as INodeExecutionData;
	const result = await execute(
		{
			nodes: [
				nodeOf("Ann's form", 'form'),
				nodeOf('Edit', 'edit'),
				{
					...nodeOf(NODE, 'imageGeneration', removeBackground({ binaryPropertyName })),
					credentials: { imageGenerationApi: { id: '1', name: 'Sandbox' } },
				},
			],
			connections,
			settings: { executionOrder: 'v1' },
			types: new Map<string, INodeType>([
				['form', itemsNode(() => [form])],
				['edit', itemsNode(() => [edited], true)],
				['imageGeneration', nodeIn()],
			]),
			start: "Ann's form",
		},
		fixture.credential,
	);
	return result.data.resultData.error as (Error & { description?: string }) | undefined;
}

describe('a file in n8n’s storage', () => {
	it.each([
		'={{ $("Ann\'s form").item.binary.photo }}',
		"={{ $('Ann\\'s form').first().binary.photo }}",
		'={{ $("Ann\'s form").all()[0].binary.photo }}',
		'={{ [$node["Ann\'s form"].binary.photo] }}',
	])('is sent if an expression takes it from an earlier node: %s', async (expression) => {
		const binary = { photo: await fixture.gif(expression) };
		const error = await run(expression, { json: {}, binary });

		expect(error?.message).toBeUndefined();
		expect(sentHashes()).toStrictEqual([sha256(gif(expression))]);
	});

	/** The JSON of a webhook that names a file of another execution. */
	const forged = ({ id, data }: IBinaryData) => ({ mimeType: 'image/png', data, id });

	it.each<[what: string, expression: string, jsonWith: (file: object) => object]>([
		['by an expression', '={{ $json.body.photo }}', (photo) => ({ body: { photo } })],
		[
			'beside the name of a node',
			'={{ $if($json.n, $("Edit").item.binary, $json.photo) }}',
			(photo) => ({ photo }),
		],
		['by the name of its field', 'photo', (photo) => ({ photo })],
		['in a list', '={{ [$json.photo] }}', (photo) => ({ photo })],
		['in `inlineData`', '={{ $json.photo }}', (inlineData) => ({ photo: { inlineData } })],
		[
			'in a list that is text',
			'={{ $json.photo }}',
			(photo) => ({ photo: JSON.stringify([photo]) }),
		],
	])('is refused if JSON from outside names it, %s', async (_what, expression, jsonWith) => {
		const other = await fixture.gif('of another execution');
		const own = { own: await fixture.gif('own') };
		const json = jsonWith(forged(other)) as IDataObject;
		const error = await run(expression, { json, binary: own }, json);

		expect(error?.message).toMatch(/must be a field name or a file|This item has no files\.$/);
		expect(fixture.calls()).toStrictEqual([]);
		expect(fixture.charged()).toBe(0);
	});
});

import type { IBinaryData, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { NODE } from '../support/engine';
import { useFixture } from '../support/fixture';
import { gif, sha256 } from '../support/images';
import { removeBackground } from '../support/runs';
import { runWorkflow, TYPE } from '../support/runWorkflow';

const fixture = useFixture({ echoImages: true });
const sentHashes = () => fixture.calls().map(({ files }) => files[0]?.sha256);

/** Runs Remove Background behind a node that leaves out the files of an earlier one, and adds JSON. */
async function run(binaryPropertyName: string, form: INodeExecutionData, json: IDataObject = {}) {
	const main = (node: string) => [[{ node, type: 'main', index: 0 } as const]];
	const nodeOf = (name: string, type: string, parameters = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	});
	const workflow = {
		nodes: [
			nodeOf("Ann's form", 'form'),
			nodeOf('Edit', 'edit'),
			{
				...nodeOf(NODE, TYPE, removeBackground({ binaryPropertyName })),
				credentials: { imageGenerationApi: { id: '1', name: 'Sandbox' } },
			},
		],
		connections: { "Ann's form": { main: main('Edit') }, Edit: { main: main(NODE) } },
		settings: { executionOrder: 'v1' } as const,
	};
	const { error } = await runWorkflow(workflow, fixture.credential, {
		"Ann's form": () => [[form]],
		Edit: () => [[{ json, pairedItem: { item: 0 } }]],
	});
	return error;
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

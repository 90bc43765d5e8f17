import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { example, files } from '../support/examples';
import { TYPE } from '../support/runWorkflow';

const { description } = new ImageGeneration();
// n8n adds these to every node used as a tool.
const OF_TOOLS = ['descriptionType', 'toolDescription'];
const STOCK = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.\w+$/;

it('the examples have unique ids and names, so that all can be imported', () => {
	const workflows = files.map(example);
	expect(new Set(workflows.map(({ id }) => id)).size).toBe(files.length);
	expect(new Set(workflows.map(({ name }) => name)).size).toBe(files.length);
});

describe.each(files)('%s', (file) => {
	const { nodes, active, pinData } = example(file);
	const ours = nodes.filter(({ type }) => [TYPE, `${TYPE}Tool`].includes(type));

	it('is inactive and holds no pinned data', () => {
		expect(active).toBe(false);
		expect(pinData).toStrictEqual({});
	});

	it('uses only stock nodes and ours', () => {
		const others = nodes.filter((node) => !ours.includes(node) && !STOCK.test(node.type));
		expect(others).toStrictEqual([]);
		// The report reads what our nodes wrote.
		expect(ours.length > 0).toBe(file !== 'purchase-log-report.json');
	});

	it('has a note that explains each of our nodes', () => {
		const [note, ...more] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(more).toStrictEqual([]);
		const content = note?.parameters.content as string;
		expect(content).toMatch(/^## /);
		expect(content.includes('your credential')).toBe(ours.length > 0);
		expect(ours.filter(({ name }) => !content.includes(`**${name}**`))).toStrictEqual([]);
	});

	it('sets only visible parameters, to listed values', () => {
		for (const node of ours) {
			const used = Object.keys(node.parameters).filter((name) => !OF_TOOLS.includes(name));
			const values = NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters,
				true,
				false,
				node,
				description,
			);
			const shown = description.properties.filter((field) =>
				NodeHelpers.displayParameter(values ?? {}, field, node, description),
			);
			expect(used.filter((name) => !shown.some((field) => field.name === name))).toStrictEqual([]);
			const unlisted = shown.filter((field) => !isListed(field, node.parameters[field.name]));
			expect(unlisted.map(({ name }) => name)).toStrictEqual([]);
			const options = description.properties.find(({ name }) => name === 'options')?.options ?? [];
			const chosen = Object.keys(node.parameters.options ?? {});
			expect(chosen.filter((name) => !options.some((o) => o.name === name))).toStrictEqual([]);
			expect(node.credentials?.imageGenerationApi).toBeDefined();
		}
	});
});

function isListed({ type, options = [] }: INodeProperties, value: unknown): boolean {
	if (type !== 'options' || value === undefined) return true;
	if (typeof value === 'string' && value.startsWith('=')) return true;
	return options.some((option) => 'value' in option && option.value === value);
}

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { testCredential } from './api/credentialTest';
import { deliver, isFree, jobsOf } from './deliver';
import { checkAll } from './execution/checkAll';
import { outcomeOf, valueOf } from './execution/outcome';
import { runCapped } from './execution/runCapped';
import { commonOptions } from './fields/options';
import { outputFields } from './fields/output';
import { operationField, operationFields, operationOptions, operations } from './operations';
import { planItem } from './plan';
import { row } from './rows';
import { isToolCall, setUp } from './run';
import { canceled, stopError, stopOnBadInput, stopOnFailure } from './stop';

export class ImageGeneration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Image Generation',
		name: 'imageGeneration',
		icon: {
			light: 'file:../../icons/imageGeneration.svg',
			dark: 'file:../../icons/imageGeneration.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: `={{ ${JSON.stringify(
			Object.fromEntries(operations.map(({ option }) => [option.value, option.name])),
		)}[$parameter["operation"]] }}`,
		description: 'Generate images from text, remove backgrounds and edit photos by instruction',
		defaults: { name: 'Image Generation' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'imageGenerationApi', required: true, testedBy: 'imageGenerationApiTest' },
		],
		properties: [
			operationField,
			...operationFields,
			...outputFields,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				// The first localeCompare of a process loads collation tables, some 6 ms (Node 20.20).
				options: [...commonOptions, ...operationOptions].sort((a, b) =>
					a.displayName < b.displayName ? -1 : 1,
				),
			},
		],
	};

	methods = { credentialTest: { imageGenerationApiTest: testCredential } };

	/** Checks all items, has their jobs done a few at a time, and returns them in order. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const node = this.getNode();
		const input = this.getInputData();
		// A model can act on what went wrong: n8n 2.40.3 goes on unless told to stop, 1.123.81 stops.
		const toldToStop = node.onError === 'stopWorkflow';
		const goesOn = this.continueOnFail() || (isToolCall(this) && !toldToStop);

		const setup = await outcomeOf(setUp(this));
		if ('failure' in setup) {
			if (!goesOn) throw stopError(node, setup.failure, {});
			return [input.map((item, index) => row(setup, item, index, node))];
		}
		const run = setup.value;

		const plans = await checkAll(input.length, async (index) => await planItem(this, run, index));
		if (!goesOn) stopOnBadInput(node, plans);

		const outcomes = await runCapped(
			plans,
			async (plan, index) => await deliver(this, run, valueOf(plan), index),
			{ ...run, stopOnFailure: !goesOn, isFree: (index) => isFree(run, plans[index], index) },
		);
		const jobs = () => jobsOf(outcomes, plans, run.earlier);
		if (run.signal?.aborted === true) throw canceled(node, jobs());
		if (!goesOn) stopOnFailure(node, jobs());

		const rows = outcomes.map((outcome, index) => row(outcome, input[index], index, node));
		// Retry On Fail takes an error in the first row for a failure, whoever put it there (seen on
		// n8n 2.40.3 and 1.123.81); then another try follows.
		const isLastTry = rows[0]?.json.error === undefined;
		if (isLastTry && outcomes.every((outcome) => 'value' in outcome)) run.earlier.clear();
		return [rows];
	}
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { executionOf } from '../../nodes/ImageGeneration/n8n/execution';

describe('an execution in n8n', () => {
	/** What n8n's Agents have, at most. */
	const agents = {
		getExecutionId: () => undefined,
		getMode: () => 'internal',
		getWorkflow: () => ({}),
		getContext: () => {
			throw new Error('There is no execution data');
		},
	};
	const of = (context: object) => executionOf(context as IExecuteFunctions);

	it.each([
		['trigger', [false, false]],
		['manual', [true, false]],
		['evaluation', [true, false]],
		['retry', [false, false]],
		['integrated', [false, true]],
	])('in mode %s is tried out, or a sub-workflow: %j', (mode, expected) => {
		const { isManual, isSubWorkflow } = of({ ...agents, getMode: () => mode });

		expect([isManual, isSubWorkflow]).toStrictEqual(expected);
	});

	it('knows the one that runs it as a sub-workflow, and not the failed one that an error workflow is about', () => {
		const getExecutionContext = () => ({ parentExecutionId: '6' });
		const parentIn = (mode: string) =>
			of({ ...agents, getMode: () => mode, getExecutionContext }).parentId;

		expect(['integrated', 'error'].map(parentIn)).toStrictEqual(['6', '']);
	});

	it.each([
		['manualTrigger', true],
		['executeWorkflow', true],
		['webhook', false],
	])('that runs as a sub-workflow of one that began at %s is tried out: %p', (type, expected) => {
		const getExecutionContext = () => ({ triggerNode: { type: `n8n-nodes-base.${type}` } });
		const context = { ...agents, getMode: () => 'integrated', getExecutionContext };

		expect(of(context).isManual).toBe(expected);
	});

	it.each([
		['n8n-nodes-base.formTrigger', true],
		['@n8n/n8n-nodes-langchain.chatTrigger', true],
		['n8n-nodes-base.telegramTrigger', true],
		['n8n-nodes-base.webhook', false],
	])('that began at %s is one that a visitor asked for: %p', (type, expected) => {
		const getExecutionContext = () => ({ triggerNode: { type } });

		expect(of({ ...agents, getExecutionContext }).isOfVisitor).toBe(expected);
	});
});

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NODE, type EngineResult } from './engine';

/** Parameters that buy a small image of each item's title. */
export const generate = (options: object = {}): INodeParameters => ({
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	options: options as INodeParameters,
});

/** Parameters that buy a small image for each item, whatever is in it. */
export const fox = (options?: object): INodeParameters => ({
	...generate(options),
	prompt: 'A fox',
});

export const removeBackground = (more: object = {}): INodeParameters => ({
	operation: 'removeBackground',
	...more,
});

/** Items with these titles. */
export const itemsOf = (...titles: string[]): INodeExecutionData[] =>
	titles.map((title) => ({ json: { title } }));

/** Options of a run that works in item order. */
export const IN_ORDER = { concurrency: 1 };

export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Settings of a node with Retry On Fail. */
export const TWO_ATTEMPTS = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** Settings of the node as an agent's tool, which gets its own type from n8n 2.41.1. */
export const AS_TOOL = { type: 'imageGenerationTool', rewireOutputLogTo: 'ai_tool' } as const;

/** What the first purchase of a node in the editor says, once in an n8n process. */
export const FORGETS = 'Without a Purchase Log, the node forgets what it bought when n8n restarts.';

/** The hints above the output of the node's last run, but for {@link FORGETS}, which depends on earlier tests. */
export const hintsOf = (result: EngineResult): string[] | undefined =>
	allHintsOf(result)?.filter((message) => message !== FORGETS);

export const allHintsOf = ({ run }: EngineResult): string[] | undefined =>
	run.data.resultData.runData[NODE]?.at(-1)?.hints?.map(({ message }) => message);

export const idsOf = ({ rows }: EngineResult) => rows.map(({ json }) => json.id);

export const namesOf = (rows: INodeExecutionData[] = []) =>
	rows.map(({ binary }) => binary?.data?.fileName);

/** Matches the file name of an image made from a prompt. */
export const marked = (stem: string, extension = 'jpg') =>
	expect.stringMatching(new RegExp(`^${stem}-[0-9a-z]{6}\\.${extension}$`)) as string;

/** What n8n stores for the nodes of an execution besides their output. */
export const storedIn = ({ run }: EngineResult): string =>
	JSON.stringify(run.data.executionData?.contextData ?? {});

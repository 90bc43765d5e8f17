import { BinaryDataConfig, BinaryDataService, Container } from './hosted.mjs';

/** Where the images lie that a run begins with. */
export const given = { type: 'execution', workflowId: 'bench', executionId: 'given' } as const;

/** Where n8n puts what a run brings; `workflow` and `execution` are the names the engine is told. */
export const results = {
	type: 'execution',
	workflowId: 'workflow',
	executionId: 'execution',
} as const;

/** n8n's storage in files. */
export async function openStorage(folder: string): Promise<BinaryDataService> {
	const config = Container.get(BinaryDataConfig);
	config.mode = 'filesystem';
	config.localStoragePath = folder;
	const storage = Container.get(BinaryDataService);
	await storage.init();
	return storage;
}

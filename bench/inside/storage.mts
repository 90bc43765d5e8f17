import { BinaryDataConfig, BinaryDataService, Container } from './hosted.mjs';

/** Location of the images that an execution stores, by the ids that the engine receives. */
export const results = {
	type: 'execution',
	workflowId: 'workflow',
	executionId: 'execution',
} as const;

/** Opens n8n's file storage. */
export async function openStorage(folder: string): Promise<BinaryDataService> {
	const config = Container.get(BinaryDataConfig);
	config.mode = 'filesystem';
	config.localStoragePath = folder;
	const storage = Container.get(BinaryDataService);
	await storage.init();
	return storage;
}

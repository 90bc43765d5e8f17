import { startEngine, type BinaryMode, type Engine } from './engine';

/** Starts n8n's engine for a file's tests. @returns a function that gives it once they run */
export function useEngine(mode?: BinaryMode): () => Engine {
	let engine: Engine | undefined;
	beforeAll(async () => {
		engine = await startEngine(mode);
	});
	afterAll(() => engine?.close());
	return () => {
		if (engine === undefined) throw new Error('The engine is not up yet');
		return engine;
	};
}

import { localTable } from '../../nodes/ImageGeneration/recall/table/localTable';

/** How the images with these links ended, as this process remembers it. */
export async function rememberedStates(links: readonly string[]): Promise<string[]> {
	return (await localTable.find('link', links)).map(({ state }) => state);
}

/** Makes a remembered link another text. */
export async function changeRemembered(link: string, to: string): Promise<void> {
	const [{ id } = { id: 0 }] = await localTable.find('link', [link]);
	await localTable.change([{ which: { id }, set: { link: to } }]);
}

/** Lets reading what is remembered fail for as long as a condition holds, and find nothing before. @returns ends this */
export function failToRemember(when: () => boolean): () => void {
	const read = jest.spyOn(localTable, 'read').mockImplementation(async () => {
		if (when()) throw new Error('The table did not answer');
		return await Promise.resolve([]);
	});
	return () => {
		read.mockRestore();
	};
}

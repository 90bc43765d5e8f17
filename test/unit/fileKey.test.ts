import { fileKey } from '../../nodes/ImageGeneration/plan/jobKeys';

const stored = (id: string) => fileKey({ id, data: 'filesystem-v2', mimeType: 'image/png' });
const inMemory = (data: string) => fileKey({ data, mimeType: 'image/png' });

describe('a file’s key', () => {
	it('stays the same when n8n renames a webhook’s file from its temporary id to the execution’s', () => {
		const before = 'filesystem-v2:workflows/a/executions/temp/binary_data/4f0c';
		const after = 'filesystem-v2:workflows/a/executions/712/binary_data/4f0c';

		expect(stored(after)).toBe(stored(before));
	});

	it('differs for another file', () => {
		expect(stored('database:1')).not.toBe(stored('database:2'));
		expect(inMemory('AAAA')).not.toBe(inMemory('AAAB'));
	});

	it('is a hash of the bytes if they are in memory, whatever the file is called', () => {
		const renamed = fileKey({ data: 'AAAA', mimeType: 'image/png', fileName: 'other.png' });

		expect(inMemory('AAAA')).toBe(renamed);
		expect(renamed).toMatch(/^[0-9a-f]{64}$/);
	});
});

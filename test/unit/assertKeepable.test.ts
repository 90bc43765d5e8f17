import { isVersion2 } from '../../nodes/ImageGeneration/execution';
import { assertKeepable } from '../../nodes/ImageGeneration/run/agents';

const NONE = { maxImages: Infinity, purchaseLog: '' };
const LOG = { ...NONE, purchaseLog: 'Images' };

describe('a Purchase Log', () => {
	it.each(['7', undefined])('is refused on n8n 1 in words that say what to do: %p', async (id) => {
		const check = async () => {
			await Promise.resolve();
			assertKeepable({ id, isVersion2: false }, LOG);
		};

		await expect(check()).rejects.toMatchObject({
			failure: {
				kind: 'bad input',
				message: "'Purchase Log' needs n8n 2.",
				advice: "Nothing was sent. Update n8n, or remove the option 'Purchase Log'.",
			},
		});
	});

	it('is kept on n8n 2', () => {
		expect(() => {
			assertKeepable({ id: '7', isVersion2: true }, LOG);
		}).not.toThrow();
	});
});

it('n8n 1 keeps everything else', () => {
	expect(() => {
		assertKeepable({ id: '7', isVersion2: false }, { ...NONE, maxImages: 3 });
	}).not.toThrow();
	expect(isVersion2({})).toBe(false);
	expect(isVersion2({ executeAgent: () => {} })).toBe(true);
});

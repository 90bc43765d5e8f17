import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import { resultOf } from './jobs';

let purchases = 0;

/** A purchase of a run of the process `there`, delivered a second ago. */
export function purchaseWith(more: Partial<Purchase> = {}): Purchase {
	purchases++;
	return {
		entry: `entry ${purchases}`,
		accounts: ['an account'],
		node: 'a node',
		request: 'a request',
		file: '',
		execution: '7',
		parent: '',
		run: `there.${purchases}`,
		time: Date.now() - 1000,
		state: 'delivered',
		told: false,
		taken: 0,
		result: resultOf('owl'),
		shown: {
			image: 'Item 1, "Owl"',
			operation: 'generate',
			quality: 'standard',
			size: '512x512',
			workflow: 'A workflow',
		},
		...more,
	};
}

/** A run that goes on until the signal is aborted, and that nothing calls. */
export const live = (signal: AbortSignal) => ({
	signal,
	checkCallers: async () => {},
});

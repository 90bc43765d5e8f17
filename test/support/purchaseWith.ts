import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import { resultOf } from './jobs';

let purchases = 0;

/** A purchase that the execution 7 made a second ago. */
export function purchaseWith(more: Partial<Purchase> = {}): Purchase {
	purchases++;
	return {
		entry: `entry ${purchases}`,
		request: 'a request',
		file: '',
		node: 'a node',
		round: 0,
		isManual: false,
		execution: '7',
		holder: '7',
		time: Date.now() - 1000,
		accounts: ['an account'],
		instruction: '',
		generation: 1,
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

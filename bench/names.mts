import type { ContenderName } from './job.mjs';

/** Names of the contenders in tables. */
export const contenderNames: Record<ContenderName, string> = {
	node: 'Image Generation',
	httpRequest: 'HTTP Request, twice',
	httpRequestLoop: 'HTTP Request, twice, in a loop',
	httpRequestWithoutRedirects: 'HTTP Request, twice, redirects off',
	serialNode: 'Plain serial node',
	bareNode: 'Floor in n8n: bare node',
	floor: 'Floor: bare script',
};

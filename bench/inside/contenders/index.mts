import type { ContenderName } from '../../job.mjs';
import { bareNode } from './bareNode.mjs';
import type { StartContender } from './contender.mjs';
import { floor } from './floor.mjs';
import { httpRequest, httpRequestLoop, httpRequestWithoutRedirects } from './httpRequest.mjs';
import { node } from './node.mjs';
import { serialNode } from './serialNode.mjs';

export const contenders: Record<ContenderName, StartContender> = {
	node,
	httpRequest,
	httpRequestLoop,
	httpRequestWithoutRedirects,
	serialNode,
	bareNode,
	floor,
};

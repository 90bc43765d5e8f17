import { join } from 'node:path';
import { hosts, root } from './checkout.mjs';
import { isInstalled } from './isInstalled.mjs';

/** Prints how long the first `npm start` takes, if anything needs to be installed. */
export function announceFirstStart() {
	if (isInstalled(root) && isInstalled(join(hosts, 'n8n-2'))) return;
	console.log(
		'The first start installs everything it needs, including n8n. That takes four to five minutes\n' +
			'and 3 GB of disk space, all in this folder. Later starts take about a minute.\n',
	);
}

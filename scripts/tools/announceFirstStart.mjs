import { join } from 'node:path';
import { root } from './checkout.mjs';
import { isInstalled } from './isInstalled.mjs';

/** Says how long `npm start` takes when there is still something to install. */
export function announceFirstStart() {
	if (isInstalled(root) && isInstalled(join(root, 'hosts', 'n8n-2'))) return;
	console.log(
		'The first start installs what is missing, a whole n8n among it. That takes four to five\n' +
			'minutes and 3 GB of disk, all of it in this folder. Later starts take about a minute.\n',
	);
}

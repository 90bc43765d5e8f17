/**
 * `node scripts/bootstrap.mjs <name> [options]` installs what is missing, then runs
 * `scripts/<name>.mts`. Written in JavaScript and without packages, because none may be installed.
 */
import { install } from './install.mjs';
import { announceFirstStart } from './tools/announceFirstStart.mjs';
import { checkNode } from './tools/checkNode.mjs';
import { keepInside, root } from './tools/checkout.mjs';
import { end, endWithParent, isEnding } from './tools/ending.mjs';
import { PlainError } from './tools/PlainError.mjs';

const [, , name, ...args] = process.argv;
try {
	checkNode();
	keepInside();
	endWithParent();
	if (name === 'start') announceFirstStart();
	await install(root);
	await import('./tsx.mjs');
	/** @type {unknown} */
	const script = await import(`./${name ?? 'start'}.mts`);
	const { main } = /** @type {{ main: (args: string[]) => Promise<void> }} */ (script);
	await main(args);
	await end(0);
} catch (error) {
	// After Ctrl-C, everything that is still running fails; that is expected.
	if (!isEnding()) {
		console.error(error instanceof PlainError ? `\n${error.message}` : error);
		await end(1);
	}
}

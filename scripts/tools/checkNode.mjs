import { PlainError } from './PlainError.mjs';

const OLDEST = [20, 19];

/** @throws {PlainError} if this Node is too old */
export function checkNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new PlainError(
		`You have Node ${process.versions.node}, but this project needs ${OLDEST.join('.')} or newer. ` +
			'Install it from https://nodejs.org, then run the command again.',
	);
}

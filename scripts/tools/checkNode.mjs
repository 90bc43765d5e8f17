import { PlainError } from './PlainError.mjs';

const OLDEST = [20, 19];

/** @throws {PlainError} when this Node is too old for the tools */
export function checkNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new PlainError(
		`This is Node ${process.versions.node}; the project needs ${OLDEST.join('.')} or newer. ` +
			'Get it from https://nodejs.org, then run the same command again.',
	);
}

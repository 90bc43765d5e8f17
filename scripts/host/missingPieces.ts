/** The part of a published package.json that matters here. */
export interface Manifest {
	dependencies?: Record<string, string>;
}

/** Asks the registry. @returns undefined if it does not have this version */
export type LookUp = (name: string, version: string) => Promise<Manifest | undefined>;

/** A version that n8n needs and the registry does not have. */
export interface MissingPiece {
	name: string;
	version: string;
	/** The package that needs it, or undefined for n8n itself. */
	neededBy?: string;
}

/**
 * Finds the packages of an n8n that the registry does not have, while npm stops at the first one.
 * Follows n8n's own packages, which need each other in exact versions and appear one after another
 * when n8n is released.
 */
export async function missingPieces(version: string, lookUp: LookUp): Promise<MissingPiece[]> {
	const missing: MissingPiece[] = [];
	const pieces: MissingPiece[] = [{ name: 'n8n', version }];
	const seen = new Set<string>();
	// Grows while it is read.
	for (const piece of pieces) {
		const manifest = await lookUp(piece.name, piece.version);
		if (manifest === undefined) missing.push(piece);
		for (const [name, range] of Object.entries(manifest?.dependencies ?? {})) {
			const id = `${name}@${range}`;
			if (!isOwn(name) || !isExact(range) || seen.has(id)) continue;
			seen.add(id);
			pieces.push({
				name,
				version: range,
				neededBy: piece.name,
			});
		}
	}
	return missing;
}

function isOwn(name: string): boolean {
	return name.startsWith('@n8n/') || name.startsWith('n8n-');
}

function isExact(range: string): boolean {
	return /^\d+\.\d+\.\d+$/.test(range);
}

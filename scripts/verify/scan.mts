/**
 * Runs the official scanner on the sources and the unpacked tarball and prints what it finds.
 *
 * @returns whether it found nothing
 */
export async function scan(root: string, packedFolder: string): Promise<boolean> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
		'@n8n/scan-community-package/scanner/scanner.mjs'
	);
	const findings = [
		report('Sources', await analyzePackage(root, SOURCE_FILE_PATTERNS)),
		report('Tarball', await analyzePackage(packedFolder, ['**/*.js', '**/*.json'])),
	];
	return findings.every((clean) => clean);
}

function report(
	what: string,
	{ passed, message = '', details = '' }: { passed: boolean; message?: string; details?: string },
): boolean {
	// The scanner also passes with the message "No files found to analyze".
	const clean = passed && message === '';
	console.log(clean ? `${what}: no issues` : `${what}: ${message}\n${details}`);
	return clean;
}

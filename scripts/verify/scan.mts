/** Prints what the official scanner finds in the sources and in the unpacked tarball. */
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
	// "No files found to analyze" passes, too.
	const clean = passed && message === '';
	console.log(clean ? `${what}: no findings` : `${what}: ${message}\n${details}`);
	return clean;
}

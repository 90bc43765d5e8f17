const { dest, src } = require('gulp');

const files = ['nodes/**/*.{json,svg,png}', 'credentials/**/*.svg', 'icons/**/*.{svg,png}'];

/**
 * Copies what `tsc` does not: icons, codex and output schemas. `npm run build` calls it without
 * gulp's command line, which leaves a file in the system's temp folder (gulp-cli 3.1).
 */
function assets() {
	// Without `encoding: false`, gulp 5 reads files as text and corrupts images.
	return src(files, { base: '.', encoding: false }).pipe(dest('dist'));
}

exports.default = assets;

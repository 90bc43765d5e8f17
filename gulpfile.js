const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, parallel, series, src, watch } = require('gulp');

/** Where the package is built. `npm run dev` builds it into the n8n that it runs. */
const output = process.env.BUILD_FOLDER ?? 'dist';

/** Icons, codex and output schemas. */
const files = ['nodes/**/*.{json,svg,png}', 'credentials/**/*.svg', 'icons/**/*.{svg,png}'];

/** @param {() => void} done */
function clean(done) {
	rmSync(output, { recursive: true, force: true });
	done();
}

function compile() {
	return tsc();
}

function assets() {
	// Without `encoding: false`, gulp 5 reads files as text and corrupts images.
	return src(files, { base: '.', encoding: false }).pipe(dest(output));
}

/** Builds again what changes. */
function rebuild() {
	watch(files, assets);
	return tsc('--watch', '--preserveWatchOutput');
}

/** @param {string[]} options */
function tsc(...options) {
	const program = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [program, '--outDir', output, ...options], { stdio: 'inherit' });
}

exports.build = series(clean, parallel(compile, assets));
exports.watch = rebuild;
exports.default = exports.build;

import { join } from 'node:path';
import { Argument, Command } from 'commander';
import getPort from 'get-port';
import { canvasPictures } from './canvasPictures.mjs';
import { main as endToEnd } from './e2e.mjs';
import { formFilm } from './formFilm.mjs';
import { openEditor } from './host/openEditor.mjs';
import { owner, prepare } from './host/prepare.mjs';
import { root } from './tools/checkout.mjs';
import { step } from './tools/step.mjs';

const kinds = ['examples', 'film', 'editor'] as const;
type Kind = (typeof kinds)[number];

/** `npm run screenshots [-- kind …]`: the pictures of the docs, from a real n8n. */
export async function main(args: string[]): Promise<void> {
	const started = Date.now();
	const wanted = kindsIn(args);
	if (wanted.includes('examples') || wanted.includes('film')) await picturesOfExamples(wanted);
	if (wanted.includes('editor')) {
		// The editor's tests take theirs as they go.
		process.env.SCREENSHOTS = join(root, 'docs', 'images');
		await endToEnd(['editor']);
	}
	console.log(`\nAll pictures took ${Math.round((Date.now() - started) / 1000)} s.`);
}

function kindsIn(args: string[]): readonly Kind[] {
	const [asked] = new Command('npm run screenshots --')
		.description(
			'Makes the pictures in docs/images: the canvas of each example, a film of the form, and ' +
				'the editor. Needs Chromium.',
		)
		.addArgument(new Argument('[kinds...]', 'which of them; all by default').choices(kinds))
		.parse(args, { from: 'user' }).processedArgs as [readonly Kind[]];
	return asked.length === 0 ? kinds : asked;
}

async function picturesOfExamples(wanted: readonly Kind[]): Promise<void> {
	const { n8n, session } = await prepare({
		n8n: await getPort({ host: '127.0.0.1' }),
		sandbox: await getPort({ host: '127.0.0.1' }),
	});
	const page = await openEditor(n8n.url, owner);
	const made: string[] = [];
	if (wanted.includes('examples')) {
		const canvases = async () => await canvasPictures(page, n8n.url);
		made.push(...(await step('Taking a picture of each example', canvases)));
	}
	if (wanted.includes('film')) {
		made.push(await step('Filming a drop on the form', async () => await formFilm(page, session)));
	}
	console.log(made.map((path) => `  ${path}`).join('\n'));
	await page.context().browser()?.close();
	await n8n.stop();
}

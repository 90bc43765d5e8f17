import sharp from 'sharp';
import { disc, plain, slowSvg } from '../sandbox/pictures';
import { useSandboxes } from '../sandbox/useSandbox';

const start = useSandboxes();

/** An SVG that takes gigabytes to draw, because each of its colors covers 50 million pixels. */
const colors = Array.from({ length: 40 }, (_, number) => `<feFlood result="c${number}"/>`);
const hugeSvg = Buffer.from(
	'<svg xmlns="http://www.w3.org/2000/svg" width="7000" height="7000">' +
		`<filter id="f" x="0" y="0" width="1" height="1">${colors.join('')}</filter>` +
		'<rect width="7000" height="7000" filter="url(#f)"/></svg>',
);

it.each([
	['time', slowSvg(), 'image: "photo.png" takes too long to process.'],
	['memory', hugeSvg, 'image: "photo.png" takes too much memory to process.'],
])(
	'a picture that takes too much %s is refused, and holds up others for less than 20 seconds',
	async (_what, bytes, message) => {
		const { form, sandbox } = await start();
		const started = performance.now();
		const cutOut = async (image: Buffer) =>
			await form('background-remover', {}, { image: { bytes: image } });
		const refused = [cutOut(bytes), cutOut(bytes)];
		const small = await cutOut(await disc());
		expect(performance.now() - started).toBeLessThan(20_000);
		expect(small.status).toBe(200);
		for (const answer of await Promise.all(refused)) {
			expect(answer.outcome()).toStrictEqual([413, message]);
		}
		expect(sandbox.ledger).toHaveLength(1);
	},
);

// Not among the quicker tests, because it takes half a gigabyte.
it('an image with sides at the limit can be cut out, and edited with edits that would enlarge it', async () => {
	const { form, picture } = await start();
	for (const bytes of [await plain(30_000, 8, '#48c'), await plain(2, 30_000, '#48c')]) {
		expect((await form('background-remover', {}, { image: { bytes } })).status).toBe(200);
		const text = 'rotate 45, blur it a lot, then add a border and add a border';
		const edited = await sharp(await picture('image-editor', { text }, bytes), {
			limitInputPixels: false,
		}).metadata();
		expect(edited.width * edited.height).toBeLessThanOrEqual(50_000_000);
		expect(Math.max(edited.width, edited.height)).toBeLessThanOrEqual(30_000);
	}
});

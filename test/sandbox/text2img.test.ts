import { text2img } from '../../sandbox/tools/text2img';
import type { Fields } from './clients';
import { make, pixelsOf } from './pictures';

const small = { text: 'a red fox in the mountains', width: '256', height: '256' };
const pictureOf = async (fields: Fields) =>
	await pixelsOf((await make(text2img, { ...small, ...fields })).picture);

it('draws the same picture for the same request and another for another prompt', async () => {
	const texts = ['a boat', 'a boat', 'a boot'];
	const [one, two, other] = await Promise.all(
		texts.map(async (text) => (await make(text2img, { ...small, text })).picture),
	);
	expect(one).toStrictEqual(two);
	expect(other).not.toStrictEqual(one);
});

it('gives each version and each genius_preference its own look', async () => {
	const versions = ['standard', 'hd', 'genius', 'super_genius'].map((version) => ({
		image_generator_version: version,
	}));
	const looks = ['anime', 'photography', 'graphic', 'cinematic'].map((genius_preference) => ({
		image_generator_version: 'genius',
		genius_preference,
	}));
	const pictures = await Promise.all([...versions, ...looks].map(pictureOf));
	expect(new Set(pictures).size).toBe(8);
});

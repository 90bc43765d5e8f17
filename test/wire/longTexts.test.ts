import { safeStem } from '../../nodes/ImageGeneration/images/fileName';
import { addressesIn } from '../../nodes/ImageGeneration/plan/addressesIn';
import { parseJson } from '../../nodes/ImageGeneration/service/jobResults';
import { keyHider } from '../../nodes/ImageGeneration/service/key';
import { toHtml } from '../../nodes/ImageGeneration/values/text';

const MIB = 1024 ** 2;

/** Text from outside, each with the longest that is read of it. */
const READERS: Record<string, [longest: number, read: (text: string) => unknown]> = {
	'a file name': [MIB, safeStem],
	'the service’s answer': [MIB, parseJson],
	'a text that may have the key': [MIB, keyHider('aaaaaaaaaaaaaaaa+b/=')],
	'a message shown as HTML': [MIB, toHtml],
	'addresses in a text': [200_000, (text) => [...addressesIn(text)]],
};

// A reader that looks at a text again for each of its characters takes hours for these.
it.each(Object.entries(READERS))(
	'%s is read to the end, however long it is and whatever it repeats',
	(_what, reader) => {
		const [longest, read] = reader;
		for (const piece of [
			'.',
			'\\',
			'\u0301',
			'<',
			'http://a',
			'"\\"',
			'1234567890123456',
			'%61',
			'a',
			'(',
		]) {
			expect(() => read(piece.repeat(longest / piece.length))).not.toThrow();
		}
	},
);

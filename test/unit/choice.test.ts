import { choose, type Chooser, type RecallPolicy } from '../../nodes/ImageGeneration/recall/choice';
import { Journal } from '../../nodes/ImageGeneration/recall/journal';
import { Judge, Words, type Word } from '../../nodes/ImageGeneration/recall/judge';
import type { Found } from '../../nodes/ImageGeneration/recall/known';
import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import { CHOICE_ROWS, type ChoiceRow, type Deed } from '../support/choiceTable';
import { jobWith } from '../support/jobs';
import { purchaseWith } from '../support/purchases';

const POLICY: RecallPolicy = {
	reuse: 'never',
	returned: new Set(),
	linkOrigin: 'https://example.com',
	allowsOtherHosts: false,
};
const JOB = jobWith();

/** A run that chooses. @param wordOf What n8n says of an execution. */
function chooser(
	policy: Partial<RecallPolicy> = {},
	wordOf: (id: string) => Word = () => 'goes on',
) {
	const words = new Words();
	const asked: string[] = [];
	const ask = async (id: string) => {
		asked.push(id);
		const word = wordOf(id);
		if (word === 'nobody knows') return undefined;
		return {
			hasError: word === 'did not end well',
			hasOutput: word !== 'goes on',
			isAllRun: word === 'ended well',
			isRecovered: false,
			waitsUntil: 0,
			parent: '',
		};
	};
	const timeOfDay = () => Date.now();
	const process = { name: 'here', journal: new Journal(() => false), words, timeOfDay };
	const run: Chooser = {
		policy: { ...POLICY, ...policy },
		node: 'a node',
		execution: 'own',
		now: Date.now(),
		isLive: () => false,
		isUsed: () => false,
		judge: new Judge(process, ask),
	};
	return { run, words, asked };
}

const offered = (purchase: Purchase) => ({ purchase, run: purchase.run, state: purchase.state });

function deedOf(found: Found | undefined): Deed {
	if (found === undefined) return 'buy';
	return found.toTake === undefined ? 'have' : 'take';
}

/** What a row's job asks for. */
function jobOf({ isFromAddress = false, isCutOut = false }: ChoiceRow) {
	const textParts = isFromAddress
		? { image: 'https://a.test/a', text: 'Blur it' }
		: { text: 'Owl' };
	return jobWith({
		request: { model: isCutOut ? 'background-remover' : 'image-editor', textParts },
	});
}

const cases = CHOICE_ROWS.flatMap((row) =>
	(['never', 'editor', 'always'] as const).map(
		(reuse) => [row.image, reuse, row.deeds[reuse], row] as const,
	),
);

it.each(cases)(
	'of an image that is %s, a run with "%s" does this: %s',
	async (_, reuse, deed, row) => {
		const { isUsedBy, isLive = false, isReturned = false, word = 'goes on' } = row;
		const purchase = purchaseWith(row.purchase);
		const returned = new Set(isReturned ? [purchase.result?.output_url] : []);
		const { run } = chooser({ reuse, returned }, () => word);
		run.isLive = () => isLive;
		run.isUsed = (_purchase, by) => by === isUsedBy || (by === 'execution' && isUsedBy === 'run');

		const chosen = await choose(run, jobOf(row), [offered(purchase)]);
		expect(deedOf(chosen)).toBe(deed);
	},
);

describe('of several images', () => {
	const entryOf = async (run: Chooser, ...same: Purchase[]) =>
		(await choose(run, JOB, same.map(offered)))?.purchase.entry;

	it('the first that needs no question is used, and n8n is not asked', async () => {
		const { run, asked } = chooser({}, () => 'did not end well');
		const same = [purchaseWith({ entry: 'asked' }), purchaseWith({ entry: 'left', state: 'left' })];

		expect(await entryOf(run, ...same)).toBe('left');
		expect(asked).toStrictEqual([]);
	});

	it('what was not even delivered is asked for first', async () => {
		const { run } = chooser({}, () => 'did not end well');
		const same = [
			purchaseWith({ entry: 'delivered' }),
			purchaseWith({ entry: 'bought', state: 'bought' }),
		];

		expect(await entryOf(run, ...same)).toBe('bought');
	});

	it('twenty new executions are asked about for each request, and those that are known cost no question', async () => {
		const purchases = Array.from({ length: 42 }, (_, index) =>
			purchaseWith({ execution: `e${index}`, entry: `${index}` }),
		);
		const { run, asked, words } = chooser({}, (id) =>
			id === 'e41' ? 'did not end well' : 'ended well',
		);
		expect(await entryOf(run, ...purchases)).toBeUndefined();
		expect(asked).toHaveLength(20);
		expect(await entryOf(run, ...purchases)).toBeUndefined();
		expect(asked).toHaveLength(40);

		words.set('e40', 'ended well');
		expect(await entryOf(run, ...purchases)).toBe('41');
		expect(asked).toHaveLength(41);
	});

	it('a request without a result is none', async () => {
		const { run } = chooser({ reuse: 'always' });

		expect(await entryOf(run, purchaseWith({ state: 'sent', result: undefined }))).toBeUndefined();
	});
});

import type { Word } from '../../nodes/ImageGeneration/recall/judge';
import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';

/** What a run does about an image: make it its own, have it as well, or buy its own. */
export type Deed = 'take' | 'have' | 'buy';

/** An image that is there, and what runs that ask for the same do. */
export interface ChoiceRow {
	/** Which image it is. */
	image: string;
	/** By default, in the editor, and with Reuse Images on Always. */
	deeds: Record<'never' | 'editor' | 'always', Deed>;
	/** What else the page says of the editor and Always. */
	remark?: string;
	/** What is special about the purchase. */
	purchase?: Partial<Purchase>;
	/** What n8n says of its execution. */
	word?: Word;
	/** Whether its run goes on in this process. */
	isLive?: boolean;
	/** Whether a job of the run or of its execution has it already. */
	isUsedBy?: 'run' | 'execution';
	/** Whether the job asks for what is behind an address. */
	isFromAddress?: boolean;
	isCutOut?: boolean;
	/** Whether Retry begins with a round that returned it. */
	isReturned?: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number): Partial<Purchase> => ({ time: Date.now() - ms });

const BUY = { never: 'buy', editor: 'buy', always: 'buy' } as const;
const BUY_OR_HAVE = { never: 'buy', editor: 'have', always: 'have' } as const;
const TAKE_OR_HAVE = { never: 'take', editor: 'have', always: 'have' } as const;
const ALWAYS_HAS = { never: 'buy', editor: 'buy', always: 'have' } as const;
const HAVE = { never: 'have', editor: 'have', always: 'have' } as const;

/** The rule, in its order: the first row that an image fits counts. */
export const CHOICE_ROWS: readonly ChoiceRow[] = [
	{
		image: 'the run has used it already, for another job',
		deeds: BUY,
		isUsedBy: 'run',
	},
	{
		image: 'of a cut-out of the same execution, made from an address over ten minutes ago',
		deeds: ALWAYS_HAS,
		purchase: { ...ago(11 * MINUTE), execution: 'own' },
		isFromAddress: true,
		isCutOut: true,
	},
	{
		image: 'of the same execution, `left` by an earlier round, such as because its download failed',
		deeds: { never: 'take', editor: 'take', always: 'take' },
		purchase: { execution: 'own', state: 'left' },
	},
	{
		image: 'of a cut-out of the same execution, such as an earlier round',
		deeds: HAVE,
		purchase: { execution: 'own' },
		isCutOut: true,
	},
	{
		image: 'of anything else of the same execution',
		deeds: ALWAYS_HAS,
		purchase: { execution: 'own' },
	},
	{
		image: 'an earlier round of the same execution has it as well',
		deeds: { never: 'take', editor: 'buy', always: 'have' },
		purchase: { state: 'left' },
		isUsedBy: 'execution',
	},
	{
		image: 'its run goes on in this process',
		deeds: ALWAYS_HAS,
		purchase: { state: 'bought' },
		isLive: true,
		remark: 'waits for what was announced before it',
	},
	{
		image: 'made from an address, over ten minutes ago',
		deeds: ALWAYS_HAS,
		purchase: { ...ago(11 * MINUTE), state: 'left' },
		isFromAddress: true,
	},
	{
		image: 'of another node',
		deeds: BUY_OR_HAVE,
		purchase: { node: 'another node', state: 'left' },
	},
	{
		image: 'its link leads to another service, and this node did not get it',
		deeds: BUY,
		purchase: {
			node: 'another node',
			result: { id: 'x', output_url: 'https://elsewhere.test/x' },
		},
	},
	{
		image: 'bought over 80 hours ago',
		deeds: BUY_OR_HAVE,
		purchase: { ...ago(81 * HOUR), state: 'left' },
	},
	{
		image: 'taken three times',
		deeds: BUY_OR_HAVE,
		purchase: { taken: 3, state: 'left' },
	},
	{
		image: 'returned by an earlier round with which Retry begins',
		deeds: BUY_OR_HAVE,
		purchase: { state: 'left' },
		word: 'did not end well',
		isReturned: true,
	},
	{
		image: '`left`',
		deeds: TAKE_OR_HAVE,
		purchase: { state: 'left' },
	},
	{
		image: '`bought` or `delivered` a short while ago from an address, and _did not end well_',
		deeds: TAKE_OR_HAVE,
		purchase: ago(9 * MINUTE),
		isFromAddress: true,
		word: 'did not end well',
	},
	{
		image: '`bought` or `delivered`, and _did not end well_',
		deeds: TAKE_OR_HAVE,
		word: 'did not end well',
	},
	{
		image: '`bought`, and _nobody knows_',
		deeds: TAKE_OR_HAVE,
		purchase: { state: 'bought' },
		word: 'nobody knows',
	},
	{
		image: '`delivered`, and _nobody knows_',
		deeds: BUY_OR_HAVE,
		word: 'nobody knows',
	},
	{
		image: '`bought` or `delivered`, and _goes on_',
		deeds: BUY_OR_HAVE,
		word: 'goes on',
	},
	{
		image: '`bought` or `delivered`, and _ended well_',
		deeds: BUY_OR_HAVE,
		word: 'ended well',
	},
];

const WORDS: Record<Deed, string> = {
	take: '**takes it**',
	have: 'has it as well',
	buy: 'buys its own',
};

/** The table of docs/development/payments.md. */
export function choiceTable(): string[][] {
	const rows = CHOICE_ROWS.map(({ image, deeds, remark }) => {
		const { never, editor, always } = deeds;
		const others =
			editor === always
				? WORDS[editor]
				: `in the editor ${WORDS[editor]}; with _Always_ ${WORDS[always]}`;
		return [image, WORDS[never], remark === undefined ? others : `${others} (${remark})`];
	});
	return [
		['The image of another run', 'A run by default', 'In the editor, and with _Always_'],
		...rows,
		[
			'any of these, and its link is gone (404, 410)',
			'buys its own, and says so',
			'buys its own, and says so',
		],
	];
}

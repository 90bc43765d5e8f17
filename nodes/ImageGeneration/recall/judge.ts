import { settle } from '../failures/failures';
import type { AskN8n, StoredExecution } from '../n8n/storedExecution';
import type { Journal } from './journal';
import { processOf, type Purchase } from './purchase';

/** An execution's fate, as far as n8n says. Every word but `goes on` is final. */
export type Word = 'goes on' | 'did not end well' | 'ended well' | 'nobody knows';

/** Milliseconds after which n8n has lost an execution of another process that it takes for running. */
const LOST_AFTER = 60 * 60 * 1000;

const MOST_WORDS = 10_000;

/** The final words of n8n on executions, the latest at the end. */
export class Words {
	readonly #words = new Map<string, Word>();

	get(execution: string): Word | undefined {
		return this.#words.get(execution);
	}

	set(execution: string, word: Word): void {
		if (word === 'goes on') return;
		this.#words.set(execution, word);
		for (const oldest of [...this.#words.keys()].slice(0, -MOST_WORDS)) this.#words.delete(oldest);
	}
}

/** The parts of an n8n process that the judge needs. */
export interface JudgingProcess {
	readonly name: string;
	readonly journal: Journal;
	readonly words: Words;
	/** Milliseconds since 1970. */
	timeOfDay(): number;
}

/** n8n's word on an execution and on those that call it. */
interface Answer {
	word: Word;
	/** False if one of them waits, such as for a time or a person, or if n8n did not answer. */
	canBeLost: boolean;
	/** Whether n8n may have found one of them dead. */
	mayBeDead: boolean;
}

/** Asks n8n what became of the executions of purchases. One for each pass, because it asks only once. */
export class Judge {
	readonly #answers = new Map<string, Promise<Answer>>();

	/** How often it had to ask. */
	questions = 0;

	constructor(
		private readonly process: JudgingProcess,
		private readonly ask: AskN8n,
	) {}

	/** The word on a purchase's execution, if it is known without asking. */
	known({ run, execution }: Purchase): Word | undefined {
		const { journal, words } = this.process;
		if (journal.isLive(run)) return 'goes on';
		return execution === '' ? 'nobody knows' : words.get(execution);
	}

	/** The word on a purchase's execution and on those that called it. */
	async wordOn(purchase: Purchase): Promise<Word> {
		const known = this.known(purchase);
		if (known !== undefined) return known;
		const { execution, parent, run, time, row } = purchase;
		const { word, canBeLost, mayBeDead } = await this.#answer(execution, parent);
		// An execution of this process is not dead.
		if (word !== 'goes on' || processOf(run) === this.process.name) return word;
		const isOld = this.process.timeOfDay() - (row?.changed ?? time) > LOST_AFTER;
		return mayBeDead || (canBeLost && isOld) ? 'did not end well' : 'goes on';
	}

	/** The word on an execution and on those that called it. */
	async wordOnExecution(id: string): Promise<Word> {
		return (await this.#answer(id, '')).word;
	}

	async #answer(id: string, caller: string): Promise<Answer> {
		const known = this.process.words.get(id);
		if (known !== undefined) return { word: known, canBeLost: true, mayBeDead: false };
		const answer = this.#answers.get(id) ?? this.#askFor(id, caller);
		this.#answers.set(id, answer);
		return await answer;
	}

	/** @param caller What a purchase says of it, if n8n has nothing of the execution. */
	async #askFor(id: string, caller: string): Promise<Answer> {
		this.questions++;
		const asked = await settle(this.ask(id));
		if ('failure' in asked) return { word: 'goes on', canBeLost: false, mayBeDead: false };
		const own = ownAnswer(asked.value, this.process.timeOfDay());
		const parent = asked.value === undefined ? caller : asked.value.parent;
		const callers =
			own.word === 'did not end well' || parent === '' ? undefined : await this.#answer(parent, '');
		const answer = callers === undefined ? own : together(own, callers);
		this.process.words.set(id, answer.word);
		return answer;
	}
}

function ownAnswer(stored: StoredExecution | undefined, now: number): Answer {
	const word = wordFor(stored, now);
	return {
		word,
		canBeLost: word !== 'goes on' || (stored?.waitsUntil ?? 0) <= now,
		mayBeDead: word === 'goes on' && stored?.isRecovered === true,
	};
}

/**
 * Reads the word from n8n's data of one execution. The error counts first: n8n leaves an old time of waiting in executions
 * that were stopped or killed (2.41.1).
 */
export function wordFor(stored: StoredExecution | undefined, now: number): Word {
	if (stored === undefined) return 'nobody knows';
	if (stored.hasError) return 'did not end well';
	if (stored.waitsUntil > now) return 'goes on';
	return stored.hasOutput && stored.isAllRun ? 'ended well' : 'goes on';
}

/** Of several executions, one that did not end well counts first, then one that goes on. */
const ORDER: readonly Word[] = ['did not end well', 'goes on', 'ended well', 'nobody knows'];

function together(one: Answer, other: Answer): Answer {
	const word = ORDER.find((each) => each === one.word || each === other.word) ?? one.word;
	return {
		word,
		canBeLost: one.canBeLost && other.canBeLost,
		mayBeDead: one.mayBeDead || other.mayBeDead,
	};
}

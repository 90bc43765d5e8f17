import { settle } from '../failures/failures';
import { fateOf, type AskN8n } from '../n8n/storedExecution';
import type { Journal } from './journal';

/** New questions to n8n for one request. */
const MOST_QUESTIONS = 20;

/** The parts of an n8n process that the judge needs. */
export interface JudgingProcess {
	readonly journal: Journal;
	/** Milliseconds since 1970. */
	timeOfDay(): number;
}

/** n8n's answer on an execution and on those that wait for it. */
interface Word {
	didNotEndWell: boolean;
	isFinal: boolean;
}

/** Counts what one request asks. */
export class Questions {
	left = MOST_QUESTIONS;
}

/** Finds out whether executions did not end well. One for each attempt, because it asks n8n only once. */
export class Judge {
	readonly #asked = new Map<string, Promise<Word>>();

	constructor(
		private readonly process: JudgingProcess,
		private readonly ask: AskN8n,
	) {}

	/**
	 * Whether an execution that has an image did not end well. No if nobody knows.
	 * @param node Whose run has the image there.
	 */
	async didNotEndWell(node: string, execution: string, questions: Questions): Promise<boolean> {
		const { journal } = this.process;
		if (journal.isLive(node, execution)) return false;
		const known = journal.wordOn(execution);
		if (known !== undefined) return known;
		const isNew = !this.#asked.has(execution);
		if (isNew && questions.left <= 0) return false;
		if (isNew) questions.left--;
		const asked = this.#asked.get(execution) ?? this.#askUpwards(execution);
		this.#asked.set(execution, asked);
		const { didNotEndWell, isFinal } = await asked;
		if (isFinal) journal.keepWord(execution, didNotEndWell);
		return didNotEndWell;
	}

	/** Asks for an execution, and if that ended well, for the one that waited for it. */
	async #askUpwards(execution: string): Promise<Word> {
		let asking = execution;
		while (asking !== '') {
			const answer = await settle(this.ask(asking));
			if ('failure' in answer) return { didNotEndWell: false, isFinal: false };
			switch (fateOf(answer.value, this.process.timeOfDay())) {
				case 'did not end well':
					return { didNotEndWell: true, isFinal: true };
				case 'found dead':
					// Retry of such an execution begins with the same data, and may end well.
					return { didNotEndWell: true, isFinal: false };
				case 'goes on':
					return { didNotEndWell: false, isFinal: false };
				case 'rejected':
				case 'unknown':
					return { didNotEndWell: false, isFinal: true };
				case 'ended well':
					asking = answer.value?.parent ?? '';
			}
		}
		return { didNotEndWell: false, isFinal: true };
	}
}

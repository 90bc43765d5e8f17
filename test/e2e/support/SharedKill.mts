import { before } from 'node:test';
import { fewAtOnce } from './fewAtOnce.mjs';
import type { Fixture } from './fixture.mjs';

/** What a test does before and after n8n is killed. */
interface Story<Flow, Outcome> {
	/** Makes its workflow, while no workflow runs. */
	publish: () => Promise<Flow>;
	/** Brings it to where n8n is killed. */
	begin: (flow: Flow) => Promise<unknown>;
	/** Does what the test looks at, after n8n has started again. */
	resume: (flow: Flow) => Promise<Outcome>;
}

/** The steps of a story, each of which is over for all stories before the next one. */
interface Steps {
	publish(): Promise<void>;
	begin(): Promise<void>;
	resume(): Promise<void>;
}

/** A kill of n8n that several tests share. All their stories are told together, because n8n starts slowly. */
export class SharedKill {
	readonly #stories: Steps[] = [];

	constructor(private readonly fixture: Fixture) {
		before(async () => await this.#tell());
	}

	/** Adds a story. @returns gives its outcome to the test */
	share<Flow, Outcome>(story: Story<Flow, Outcome>): () => Promise<Outcome> {
		const told = new ToldStory(story);
		this.#stories.push(told);
		return async () => await told.outcome;
	}

	async #tell(): Promise<void> {
		const stories = this.#stories;
		await fewAtOnce(stories, async (each) => await each.publish());
		await fewAtOnce(stories, async (each) => await each.begin());
		await this.fixture.restart('kill');
		this.fixture.sandbox.disarm();
		await fewAtOnce(stories, async (each) => await each.resume());
	}
}

/** A story whose failure is left to its own test. */
class ToldStory<Flow, Outcome> implements Steps {
	#flow: Promise<Flow> | undefined;

	#begun: Promise<unknown> | undefined;

	#outcome: Promise<Outcome> | undefined;

	constructor(private readonly story: Story<Flow, Outcome>) {}

	get outcome(): Promise<Outcome> {
		return this.#outcome ?? Promise.reject(new Error('n8n did not start again.'));
	}

	async publish(): Promise<void> {
		this.#flow = this.story.publish();
		await Promise.allSettled([this.#flow]);
	}

	async begin(): Promise<void> {
		this.#begun = this.#flow?.then(this.story.begin);
		await Promise.allSettled([this.#begun]);
	}

	async resume(): Promise<void> {
		this.#outcome = this.#resume();
		await Promise.allSettled([this.#outcome]);
	}

	async #resume(): Promise<Outcome> {
		await this.#begun;
		if (this.#flow === undefined) throw new Error('Its workflow is not there.');
		return await this.story.resume(await this.#flow);
	}
}

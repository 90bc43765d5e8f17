import { safeStem } from '../images/fileName';

/**
 * The file names that the node gave in an execution's earlier runs, such as rounds of a loop. Equal names
 * are numbered, so that an image never overwrites another one.
 */
export class NamesInUse {
	readonly #stems = new Set<string>();

	#runsRead = 0;

	/**
	 * Adds the names of the runs that have ended.
	 * @param namesOfRuns Reads the names of each run from one on, counted from 0.
	 */
	learn(namesOfRuns: (from: number) => string[][]): void {
		const runs = namesOfRuns(this.#runsRead);
		for (const name of runs.flat()) this.#stems.add(keyOf(safeStem(withoutOddExtension(name))));
		this.#runsRead += runs.length;
	}

	/**
	 * Returns a function that numbers repeated names: `a`, `b`, `a-2`. It begins with what earlier runs
	 * gave, so every attempt of a run numbers alike.
	 */
	numbering(): (stem: string) => string {
		/** Names of this run, and the number that their last repetition has. */
		const taken = new Map<string, number>();
		const isTaken = (stem: string) => taken.has(keyOf(stem)) || this.#stems.has(keyOf(stem));
		return (stem) => {
			let number = taken.get(keyOf(stem)) ?? 1;
			let unique = stem;
			while (isTaken(unique)) {
				number++;
				unique = `${stem}-${number}`;
			}
			taken.set(keyOf(unique), 1);
			taken.set(keyOf(stem), number);
			return unique;
		};
	}
}

/** Images of a type that the node does not know have an extension that is not one of an image. */
function withoutOddExtension(name: string): string {
	return name.replace(/\.img$/, '');
}

/** Windows and macOS take names that differ only in case for the same. */
function keyOf(stem: string): string {
	return stem.toLowerCase();
}

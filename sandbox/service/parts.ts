import { Subscribers } from './account/subscribers';
import { Journal } from './control/journal';
import { Recorder } from './http/recorder';
import { Files } from './jobs/files';
import { Workbench } from './jobs/workbench';
import type { Settings } from './settings';

/** Everything that the routes of a sandbox share. */
export interface Parts {
	settings: Settings;
	subscribers: Subscribers;
	files: Files;
	recorder: Recorder;
	journal: Journal;
	workbench: Workbench;
	/** Restores the initial state of everything, or of what belongs to one key. */
	reset(key?: string): Promise<void>;
}

export async function createParts(settings: Settings): Promise<Parts> {
	const { keepRequests, now } = settings;
	const subscribers = new Subscribers(settings);
	const files = await Files.open();
	const journal = new Journal(keepRequests, now);
	const recorder = new Recorder(keepRequests, (entry) => journal.requestChanged(entry));
	const reset = async (key?: string) => {
		const one = subscribers.find(key);
		for (const part of one ? [one] : [...subscribers.all, journal, recorder]) part.reset();
		await files.clear(key);
	};
	return { settings, subscribers, files, recorder, journal, workbench: new Workbench(), reset };
}

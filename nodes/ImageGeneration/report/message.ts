/** What users read about a job that was not delivered. */
export interface Message {
	/** What happened; the service's message if it sent one. */
	title: string;
	/** What to do about it. */
	advice: string;
}

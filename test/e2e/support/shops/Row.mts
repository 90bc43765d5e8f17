/** A record, page or product in a stand-in's memory. */
export interface Row {
	readonly id: string;
	readonly photos: readonly Photo[];
	/** What a workflow has written back into it. */
	links: string[];
}

/** A photo, and where n8n and the service can download it. */
export interface Photo {
	readonly url: string;
	readonly bytes: Buffer;
}

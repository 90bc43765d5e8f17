/** A kind of page that shows a file with an address of its own. */
interface SharedFile {
	page: RegExp;
	/** @param found What the page's address consists of. */
	toFile: (found: RegExpExecArray) => string;
}

const SHARED_FILES: readonly SharedFile[] = [
	// Dropbox: `raw=1` returns the file, and so does `dl=1`.
	{
		page: /^(https?:\/\/(?:www\.)?dropbox\.com\/(?:s|scl\/fi)\/[^?#]+)(?=[?#]|$)(?!.*[?&](?:raw|dl)=1)(?:\?([^#]*))?/i,
		toFile: ([, path, query = '']) => {
			const others = query.split('&').filter((part) => part !== '' && !/^(?:dl|raw)=/.test(part));
			return `${path}?${[...others, 'raw=1'].join('&')}`;
		},
	},
	// GitHub.
	{
		page: /^https?:\/\/(?:www\.)?github\.com\/([^/?#]+\/[^/?#]+)\/blob\/([^?#]+)/i,
		toFile: ([, repository, path]) => `https://raw.githubusercontent.com/${repository}/${path}`,
	},
];

/** The address of the file that a page shows; undefined if the page has none, or if it is no such page. */
export function addressOfFile(address: string): string | undefined {
	for (const { page, toFile } of SHARED_FILES) {
		const found = page.exec(address);
		if (found !== null) return toFile(found);
	}
	return undefined;
}

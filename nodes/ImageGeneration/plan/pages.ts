/** A page that shows a picture, and is none. */
export interface Page {
	/** Its website. */
	name: string;
	/** The addresses of such pages, without their scheme and `www.`. */
	address: RegExp;
	/** The address of the picture's file, where it follows from that of the page. */
	file?: string;
	/** What to use instead. */
	advice: string;
}

const AS_FILE = "set 'Image Source' to 'File From an Earlier Node'";

function downloadWith(node: string): string {
	return `Download the file with a ${node} node first, and ${AS_FILE}.`;
}

/** For sites to which n8n has no node. */
const SAVE = `Save the picture and put it where a node can fetch it, such as a form or Google Drive, and ${AS_FILE}.`;

/** The first that matches counts. */
export const PAGES: readonly Page[] = [
	{
		name: 'Google Drive',
		address: /^drive\.google\.com\/(?:file\/d\/|open\?id=)([\w-]+).*/,
		file: 'https://drive.google.com/uc?export=download&id=$1',
		advice: downloadWith('Google Drive'),
	},
	{
		name: 'Google Drive',
		address: /^drive\.google\.com\/(?:file|open|drive)\b/,
		advice: downloadWith('Google Drive'),
	},
	{
		name: 'Google Photos',
		address: /^photos\.(?:google\.com|app\.goo\.gl)\//,
		advice: SAVE,
	},
	// `raw=1` returns the file, and so does `dl=1`.
	{
		name: 'Dropbox',
		address: /^(dropbox\.com\/(?:s|scl\/fi)\/(?!.*[?&](?:raw|dl)=1).*[?&])dl=0(.*)/,
		file: 'https://www.$1raw=1$2',
		advice: downloadWith('Dropbox'),
	},
	{
		name: 'Dropbox',
		address: /^(dropbox\.com\/(?:s|scl\/fi)\/[^?]+)$/,
		file: 'https://www.$1?raw=1',
		advice: downloadWith('Dropbox'),
	},
	{
		name: 'Dropbox',
		address: /^(dropbox\.com\/(?:s|scl\/fi)\/(?!.*[?&](?:raw|dl)=1).*)/,
		file: 'https://www.$1&raw=1',
		advice: downloadWith('Dropbox'),
	},
	{
		name: 'Dropbox',
		address: /^dropbox\.com\/(?!.*[?&](?:raw|dl)=1)/,
		advice: downloadWith('Dropbox'),
	},
	{
		name: 'OneDrive',
		address:
			/^(?:1drv\.ms|onedrive\.live\.com|photos\.onedrive\.com)\/(?!download|.*[?&]download=1)/,
		advice: downloadWith('Microsoft OneDrive'),
	},
	{
		name: 'Instagram',
		address: /^instagram\.com\/(?!.*\/media\b)/,
		advice: SAVE,
	},
];

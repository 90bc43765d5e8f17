/** A page that shows a picture, and is none. */
export interface Page {
	/** Its website. */
	name: string;
	/** The addresses of such pages, without their scheme and `www.`. */
	address: RegExp;
	/** Returns the address of the picture's file, if it follows from that of the page. */
	file?: (page: URL) => string;
	/** The n8n node that downloads from the website, if there is one. */
	node?: string;
}

/** The first that matches counts. */
export const PAGES: readonly Page[] = [
	{
		name: 'Google Drive',
		address: /^drive\.google\.com\/(?:file\/d\/|open\?(?:.*&)?id=)[\w-]/,
		file: ({ pathname, searchParams }) => {
			const id = searchParams.get('id') ?? pathname.split('/')[3] ?? '';
			return `https://drive.google.com/uc?export=download&id=${id}`;
		},
	},
	{
		name: 'Google Drive',
		address: /^drive\.google\.com\/(?:file|open|drive)\b/,
		node: 'Google Drive',
	},
	{
		name: 'Google Photos',
		address: /^photos\.(?:google\.com|app\.goo\.gl)\//,
	},
	{
		name: 'Dropbox',
		address: /^dropbox\.com\/(?:s|scl\/fi)\//,
		file: (page) => {
			page.searchParams.delete('dl');
			page.searchParams.set('raw', '1');
			return page.href;
		},
	},
	{
		name: 'Dropbox',
		address: /^dropbox\.com\/(?!.*[?&](?:raw|dl)=1)/,
		node: 'Dropbox',
	},
	{
		name: 'OneDrive',
		address:
			/^(?:1drv\.ms\/|onedrive\.live\.com\/(?!download)|photos\.onedrive\.com\/|[\w-]+\.sharepoint\.com\/:)(?!.*[?&]download=1)/,
		node: 'Microsoft OneDrive',
	},
	{
		name: 'Instagram',
		address: /^instagram\.com\/(?!.*\/media\b)/,
	},
];

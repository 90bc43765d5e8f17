/** A website whose pages show pictures, and are none. */
export interface Site {
	name: string;
	/** Its hosts, without `www.`. */
	host: RegExp;
	/** The paths of its pages, with their queries. */
	page: RegExp;
	/** What to use instead. */
	advice: string;
}

const AS_FILE = "set 'Image Source' to 'File From an Earlier Node'";

function downloadWith(node: string): string {
	return `Download the file with a ${node} node first, and ${AS_FILE}.`;
}

function addressBegins(origin: string): string {
	return `Use the address of the picture itself, which begins with ${origin}, or save the picture and use its file.`;
}

/** For sites to which n8n has no node. */
const SAVE = `Save the picture and put it where a node can fetch it, such as a form or Google Drive, and ${AS_FILE}.`;

const EVERY_PAGE = /^/;

const SITES: readonly Site[] = [
	{
		name: 'Google Drive',
		host: /^drive\.google\.com$/,
		page: /^\/(?:file\/|open\b|drive\/)/,
		advice: downloadWith('Google Drive'),
	},
	{
		name: 'Google Docs',
		host: /^docs\.google\.com$/,
		page: /^\/(?:a\/[^/]+\/)?(?:document|spreadsheets|presentation|forms|file|drawings(?!.*\/pub\b))\/(?!.*\/export\b)/,
		advice: SAVE,
	},
	{
		name: 'Google Photos',
		host: /^photos\.(?:google\.com|app\.goo\.gl)$/,
		page: EVERY_PAGE,
		advice: SAVE,
	},
	{
		name: 'Google Search',
		host: /^(?:images\.)?google\.[a-z.]{2,6}$/,
		page: /^\/(?:imgres|search|url)\b/,
		advice: 'Open the picture on its own website, and use its address there.',
	},
	{
		name: 'Dropbox',
		host: /^dropbox\.com$/,
		page: /^(?!.*[?&](?:raw|dl)=1)/,
		advice: downloadWith('Dropbox'),
	},
	{
		name: 'OneDrive',
		host: /^(?:1drv\.ms|onedrive\.live\.com|photos\.onedrive\.com)$/,
		page: /^(?!\/download|.*[?&]download=1)/,
		advice: downloadWith('Microsoft OneDrive'),
	},
	{
		name: 'SharePoint',
		host: /\.sharepoint\.com$/,
		page: /^(?!.*(?:\/download\.aspx|[?&]download=1))(?:\/:[a-z]:\/|[^?]*\.aspx(?:\?|$))/i,
		advice: downloadWith('Microsoft SharePoint'),
	},
	{
		name: 'Box',
		host: /^(?:[\w-]+\.)*box\.com$/,
		page: /^\/(?:s|file|folder|embed|v)\//,
		advice: downloadWith('Box'),
	},
	{
		name: 'iCloud',
		host: /^(?:share\.)?icloud\.com$/,
		page: EVERY_PAGE,
		advice: SAVE,
	},
	{
		name: 'WeTransfer',
		host: /^(?:we\.tl|(?!download\.)(?:[\w-]+\.)?wetransfer\.com)$/,
		page: EVERY_PAGE,
		advice: SAVE,
	},
	{
		name: 'Instagram',
		host: /^(?:instagram\.com|instagr\.am)$/,
		page: /^(?!.*\/media\b)/,
		advice: SAVE,
	},
	{
		name: 'Pinterest',
		host: /^(?:pin\.it|(?:[a-z]{2}\.)?pinterest\.[a-z.]{2,6})$/,
		page: EVERY_PAGE,
		advice: addressBegins('https://i.pinimg.com/'),
	},
	{
		name: 'Canva',
		host: /^canva\.(?:com|link)$/,
		page: EVERY_PAGE,
		advice: SAVE,
	},
	{
		name: 'Imgur',
		host: /^(?:m\.)?imgur\.com$/,
		page: /^(?!\/download\/|[^?]*\.\w{3,4}(?:\?|$))/,
		advice: addressBegins('https://i.imgur.com/'),
	},
	{
		name: 'Flickr',
		host: /^(?:flickr\.com|flic\.kr)$/,
		page: /^\/(?:photos|p)\//,
		advice: addressBegins('https://live.staticflickr.com/'),
	},
	{
		name: 'Unsplash',
		host: /^unsplash\.com$/,
		page: /^\/photos\/(?!.*\/download\b)/,
		advice: addressBegins('https://images.unsplash.com/'),
	},
	{
		name: 'Pexels',
		host: /^pexels\.com$/,
		page: /^\/(?:[a-z-]{2,5}\/)?photo\//,
		advice: addressBegins('https://images.pexels.com/'),
	},
	{
		name: 'Wikipedia',
		host: /^(?:[\w-]+\.)*(?:wikipedia|wikimedia)\.org$/,
		page: /^\/wiki\/(?!Special:)/,
		advice: addressBegins('https://upload.wikimedia.org/'),
	},
	{
		name: 'Notion',
		host: /^(?:notion\.so|[\w-]+\.notion\.site)$/,
		// A page's path ends with its id.
		page: /^\/[^?]*(?<![\da-f])[\da-f]{32}(?:\?|$)/,
		advice: downloadWith('Notion'),
	},
	{
		name: 'Airtable',
		host: /^airtable\.com$/,
		page: /^\/(?:app|shr)\w{14}(?:[/?]|$)/,
		advice: downloadWith('Airtable'),
	},
	{
		name: 'GitHub',
		host: /^github\.com$/,
		page: /^\/[^/]+\/[^/]+\/(?:tree|issues|pull|wiki|commit|discussions)\b/,
		advice: addressBegins('https://raw.githubusercontent.com/'),
	},
];

/** The website whose page an address opens; undefined if there can be an image. */
export function siteOf({ hostname, pathname, search }: URL): Site | undefined {
	const host = hostname.replace(/^www\./, '');
	const path = pathname + search;
	return SITES.find((site) => site.host.test(host) && site.page.test(path));
}

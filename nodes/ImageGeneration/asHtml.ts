const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Plain text as HTML that looks the same: its lines stay lines, and its web addresses lead there. */
export function asHtml(text: string): string {
	return text
		.replace(/[&<>"]|https?:\/\/[^\s<>"]*[^\s<>".,:;!?)]/g, (part) => MARKS[part] ?? linkTo(part))
		.replace(/\n/g, '<br>');
}

function linkTo(address: string): string {
	const shown = address.replace(/&/g, '&amp;');
	return `<a href="${shown}" target="_blank">${shown}</a>`;
}

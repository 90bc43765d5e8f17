const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// Neither a mark behind an address nor a bracket around it is a part of it.
const MARK_OR_ADDRESS =
	/[&<>"]|https?:\/\/(?:\([^\s<>"()]*\)|[^\s<>"()])*(?:\([^\s<>"()]*\)|[^\s<>"().,:;!?])/g;

/** Plain text as HTML that looks the same: its lines stay lines, and its web addresses lead there. */
export function asHtml(text: string): string {
	return text
		.replace(MARK_OR_ADDRESS, (part) => MARKS[part] ?? linkTo(part))
		.replace(/\n/g, '<br>');
}

function linkTo(address: string): string {
	const shown = address.replace(/&/g, '&amp;');
	return `<a href="${shown}" target="_blank">${shown}</a>`;
}

/** Plain text as HTML that looks the same: its lines stay lines, and its web addresses lead there. */
export function toHtml(text: string): string {
	// Neither a mark behind an address nor a bracket around it is a part of it.
	const markOrAddress =
		/[&<>"]|https?:\/\/(?:\([^\s<>"()]*\)|[^\s<>"()])*(?:\([^\s<>"()]*\)|[^\s<>"().,:;!?])/g;
	const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
	return text.replace(markOrAddress, (part) => marks[part] ?? linkTo(part)).replace(/\n/g, '<br>');
}

function linkTo(address: string): string {
	const shown = address.replace(/&/g, '&amp;');
	return `<a href="${shown}" target="_blank">${shown}</a>`;
}

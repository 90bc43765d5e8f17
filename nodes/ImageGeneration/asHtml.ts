const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Plain text as HTML that looks the same: its lines stay lines, and its web addresses lead there. */
export function asHtml(text: string): string {
	return text
		.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? '')
		.replace(/https?:\/\/\S+/g, '<a href="$&" target="_blank">$&</a>')
		.replace(/\n/g, '<br>');
}

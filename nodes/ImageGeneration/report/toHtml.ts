const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A web address, without punctuation after it. */
const ADDRESS = /(https?:\/\/[^\s<>"]+(?<![.,:;!?)]))/;

/** Converts plain text to HTML with line breaks and clickable web addresses. */
export function toHtml(text: string): string {
	return text
		.split(ADDRESS)
		.map((part, index) => {
			const html = escapeHtml(part);
			return index % 2 === 0 ? html : `<a href="${html}" target="_blank">${html}</a>`;
		})
		.join('')
		.replaceAll('\n', '<br>');
}

/** Shows a text as it is where n8n renders HTML, which are hints and messages (2.40.3, 1.123.81). */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Converts plain text to HTML with line breaks and clickable web addresses. */
export function toHtml(text: string): string {
	return text
		.split(/(https?:\/\/[^\s<>"]+)/)
		.map((part, index) => (index % 2 === 0 ? escapeHtml(part) : linkTo(part)))
		.join('')
		.replaceAll('\n', '<br>');
}

function linkTo(found: string): string {
	const address = found.slice(0, endOf(found));
	// A scheme alone is not an address.
	if (/^https?:\/*$/.test(address)) return escapeHtml(found);
	const href = escapeHtml(address);
	return `<a href="${href}" target="_blank">${href}</a>${escapeHtml(found.slice(address.length))}`;
}

/** Excludes punctuation after an address, and brackets around it. */
function endOf(address: string): number {
	let unopened = 0;
	for (const character of address) {
		if (character === '(') unopened--;
		if (character === ')') unopened++;
	}
	let end = address.length;
	for (; end > 0; end--) {
		const last = address[end - 1] ?? '';
		const isBracket = last === '(' || (last === ')' && unopened > 0);
		if (!isBracket && !'.,:;!?'.includes(last)) break;
		if (last === ')') unopened--;
		if (last === '(') unopened++;
	}
	return end;
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

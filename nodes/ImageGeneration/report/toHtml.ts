const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Converts plain text to HTML with line breaks and clickable web addresses. */
export function toHtml(text: string): string {
	return text
		.split(/(https?:\/\/[^\s<>"]+)/)
		.map((part, index) => (index % 2 === 0 ? escaped(part) : linkTo(part)))
		.join('')
		.replaceAll('\n', '<br>');
}

function linkTo(found: string): string {
	const address = found.slice(0, endOf(found));
	// A scheme alone is not an address.
	if (/^https?:\/*$/.test(address)) return escaped(found);
	const shown = escaped(address);
	return `<a href="${shown}" target="_blank">${shown}</a>${escaped(found.slice(address.length))}`;
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

function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

/** What may stand before the root of an SVG. Sticky, so that each is matched where the last one ended. */
const BEFORE_ROOT =
	/\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE\s+(?:\w+:)?svg(?=[\s>[])[^>[]*(?:\[[^\]]*\]\s*)?>/iy;

/** The root, possibly with a prefix for its namespace. */
const ROOT = /^<(?:[\w.-]+:)?svg(?=[\s>/])/;

/** Whether a text file is an SVG: its root is `svg`, after any declaration, comments and document type. */
export function isSvg(head: Uint8Array): boolean {
	return ROOT.test(rootOf(head));
}

/** Whether the first bytes end before the root, so that they can't tell. */
export function couldBeSvg(head: Uint8Array): boolean {
	const text = textOf(head).trimStart();
	return (
		text.startsWith('<') && /^<(?:\?|!--|!DOCTYPE\s+(?:\w+:)?svg[\s>[])|^$/i.test(rootOf(head))
	);
}

/** The text from the root on, as far as it is in the first bytes. */
function rootOf(head: Uint8Array): string {
	const text = textOf(head);
	let root = 0;
	BEFORE_ROOT.lastIndex = 0;
	while (BEFORE_ROOT.test(text)) root = BEFORE_ROOT.lastIndex;
	return text.slice(root);
}

function textOf(head: Uint8Array): string {
	const [first, second] = head;
	// TextDecoder removes the byte order mark.
	if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(head);
	if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(head);
	// Only a text that begins like XML is worth decoding.
	return /^[\s<\xef]/.test(String.fromCharCode(first ?? 0)) ? new TextDecoder().decode(head) : '';
}

/** How files begin that are known not to be images, as patterns written in Latin-1. */
const BEGINNINGS = [
	// Documents.
	'%PDF-',
	'%!PS',
	'\\{\\\\rtf',
	'\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
	// Archives, which newer Office files also are.
	'PK(?:\x03\x04|\x05\x06|\x07\x08)',
	'\x1f\x8b',
	'BZh',
	'\xfd7zXZ',
	'7z\xbc\xaf',
	'Rar!',
	'\\x28\xb5\x2f\xfd',
	// Films: MP4, MOV with and without its brand, WebM, AVI, MPEG, FLV and WMV. An image's brand is found before.
	'....ftyp',
	'....(?:moov|mdat|wide|free|skip|pnot)',
	'\x1a\x45\xdf\xa3',
	'RIFF....AVI',
	'\0\0\x01[\xba\xb3]',
	'FLV\x01',
	'0&\xb2\x75',
	// Sound: WAV, MP3 with and without a tag, AAC, Ogg, FLAC and AIFF.
	'RIFF....WAVE',
	'ID3',
	'\xff[\xe2-\xef\xf1-\xfd]',
	'OggS',
	'fLaC',
	'FORM....AIF',
	// Programs of Linux, Windows, macOS and Java, and WebAssembly.
	'\x7fELF',
	'MZ',
	'[\xce\xcf]\xfa\xed\xfe',
	'\xfe\xed\xfa[\xce\xcf]',
	'\xca\xfe\xba\xbe',
	'\0asm',
	// Fonts and databases.
	'\0\x01\0\0\0',
	'OTTO',
	'wOF[F2]',
	'ttc',
	'SQLite format',
	// Text in UTF-16, with a mark or without.
	'\xff\xfe',
	'\xfe\xff',
	'(?:[\\t\\n\\r -~]\0){8}',
	'(?:\0[\\t\\n\\r -~]){8}',
];
const BEGINNING = new RegExp(`^(?:${BEGINNINGS.join('|')})`, 's');

/** Bytes that are looked at: no text has control characters there, and hardly an image has none. */
const START_BYTES = 64;

/** Whether content is known not to be an image: text, nothing but zeros, a program, a document, a film. */
export function isNoImage(head: Uint8Array): boolean {
	const start = head.subarray(0, START_BYTES);
	if (start.every(isTextByte) || head.every((byte) => byte === 0)) return true;
	return BEGINNING.test(Buffer.from(start).toString('latin1'));
}

function isTextByte(byte: number): boolean {
	return byte >= 32 || byte === 9 || byte === 10 || byte === 13;
}

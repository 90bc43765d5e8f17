import { BadInput } from '../failures/failures';
import { escapedForPattern, quote } from '../values/text';

/**
 * What Excel and Google Sheets show if a formula has no result, by language, also as an export writes it. A list,
 * because `#FOX!` may be meant.
 */
const SHEET_RESULTS = {
	English:
		'#REF! #N/A #N/A! #VALUE! #DIV/0! #NAME? #NULL! #NUM! #ERROR #ERROR! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY! #UNKNOWN!',
	Czech: '#HODNOTA! #ODKAZ! #NENÍ_K_DISPOZICI #NÁZEV? #ČÍSLO! #DĚLENÍ_NULOU!',
	Danish: '#VÆRDI! #REFERENCE! #I/T #NAVN? #NUL! #DIVISION/0!',
	Dutch: '#WAARDE! #VERW! #N/B #NAAM? #GETAL! #LEEG! #DEEL/0! #OVERLOOP!',
	French: '#VALEUR! #NOM? #NOMBRE! #NUL! #PROPAGATION! #CHAMP!',
	German: '#WERT! #BEZUG! #NV #ZAHL! #ÜBERLAUF! #KALK! #FELD! #BLOCKIERT! #UNBEKANNT!',
	Italian: '#VALORE! #RIF! #N/D #NOME? #NULLO! #ESPANSIONE! #CAMPO!',
	Norwegian: '#VERDI! #I/T #NAVN?',
	Polish: '#ARG! #ADR! #N/D! #NAZWA? #LICZBA! #ZERO! #DZIEL/0!',
	Portuguese: '#VALOR! #N/D #NOME? #NÚM! #NULO! #DESPEJAR! #CAMPO!',
	Russian: '#ЗНАЧ! #ССЫЛКА! #Н/Д #ИМЯ? #ЧИСЛО! #ПУСТО! #ДЕЛ/0!',
	Spanish:
		'#¡VALOR! #¡REF! #N/D #¿NOMBRE? #¡NUM! #¡NULO! #¡DIV/0! #¡DESBORDAMIENTO! #¡CALC! #VALOR! #NOMBRE?',
	Swedish: '#VÄRDEFEL! #REFERENS! #SAKNAS! #NAMN? #OGILTIGT! #DIVISION/0! #SKÄRNING!',
	Turkish: '#DEĞER! #BAŞV! #YOK #AD? #SAYI! #BOŞ! #SAYI/0!',
};
const SHEET_RESULT = [
	...Object.values(SHEET_RESULTS).join(' ').split(' '),
	'Loading...',
	'Loading…',
]
	.map(escapedForPattern)
	.join('|');

/** What JavaScript makes of a value that is missing, also of a date. */
const MISSING = 'undefined|null|NaN|Invalid Date(?:Time)?';

/** What it makes of one that is not text, wherever it is inserted. */
const OBJECT = '\\[object Object\\]';

const FROM_SHEET = new RegExp(`^(?:${SHEET_RESULT})$`);
const NO_TEXT = new RegExp(`^(?:${MISSING})$|${OBJECT}`);
const MISSING_PART = new RegExp(MISSING);
const TRACE = new RegExp(`${SHEET_RESULT}|${MISSING}|${OBJECT}`);

/** Whether a text may contain what {@link assertValue} refuses. */
export function mayHaveNoValue(text: string): boolean {
	return TRACE.test(text);
}

/** Whether a text contains what JavaScript makes of a value that is missing. */
export function mayHaveMissingPart(text: string): boolean {
	return MISSING_PART.test(text);
}

/**
 * Refuses the text of a value that is none.
 * @param subject What has it, such as `'Prompt'`.
 * @throws BadInput
 */
export function assertValue(subject: string, text: string): void {
	const value = text.trim();
	if (FROM_SHEET.test(value)) {
		throw new BadInput(
			`${subject} is ${quote(text)}, which a sheet shows if a formula has no result.`,
			'Correct the sheet, or filter out items with this value before this node.',
		);
	}
	if (NO_TEXT.test(value)) throw noValue(subject, text);
}

/** What an expression returned is no value. */
export function noValue(subject: string, value: unknown): BadInput {
	return new BadInput(
		`${subject} is ${quote(value)}. An expression found no value there, or one that is not text.`,
		'Check the names in the expression, or filter out items without this value before this node.',
	);
}

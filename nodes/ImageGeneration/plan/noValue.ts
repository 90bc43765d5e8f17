import { BadInput } from '../failures/failures';
import { quote } from '../values/text';

/** What spreadsheets show if a formula has no result, also as an export writes it. */
const SHEET_RESULT =
	'#(?:REF!|N/A!?|VALUE!|DIV/0!|NAME\\?|NULL!|NUM!|ERROR!?|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!)';

/** What JavaScript makes of a value that is missing. */
const MISSING = 'undefined|null|NaN';

/** What it makes of one that is not text, wherever it is inserted. */
const OBJECT = '\\[object Object\\]';

const FROM_SHEET = new RegExp(`^${SHEET_RESULT}$`);
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
	if (NO_TEXT.test(value)) {
		throw new BadInput(
			`${subject} is ${quote(text)}. An expression found no value there, or one that is not text.`,
			'Check the names in the expression, or filter out items without this value before this node.',
		);
	}
}

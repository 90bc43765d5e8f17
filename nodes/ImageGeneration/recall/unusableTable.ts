import { BadInput } from '../failures/failures';
import { endSentence } from '../values/text';
import { COLUMNS } from './logRow';

/** n8n limits all data tables together, and then also refuses to update a row (2.41.1). */
const IS_FULL = /size limit exceeded/i;

/** n8n's words if its Data Table node can't list and make tables, as before 2.10 (1.123.81, 2.0.0). */
const IS_TOO_OLD = /could not get parameter|the value "(?:table|list|create)" is not supported/i;

/** @param reason What n8n says. */
export function unusable(wanted: string, reason: string): BadInput {
	if (IS_TOO_OLD.test(reason)) {
		return new BadInput(
			"'Purchase Log' needs n8n 2.10 or newer.",
			"Nothing was sent. Update n8n, or remove the option 'Purchase Log'.",
		);
	}
	if (IS_FULL.test(reason)) {
		return new BadInput(
			`n8n's data tables are full, so the purchase log "${wanted}" takes no more rows: ${endSentence(reason)}`,
			'This request was not sent. Under Data tables, delete tables and rows that you no longer need. In a purchase log, rows of images that need not be used again can go. Or ask your n8n administrator to raise N8N_DATA_TABLES_MAX_SIZE_BYTES.',
		);
	}
	// A new table knows nothing of what was bought, so a database that is away is no reason for one.
	const advice = /column/i.test(reason)
		? `This request was not sent. Enter another name in 'Purchase Log', and the node creates the table. Or add what this one lacks of these columns: ${Object.keys(COLUMNS).join(', ')}.`
		: 'This request was not sent. Try again once n8n can use its data tables.';
	return new BadInput(`The purchase log "${wanted}" can't be used: ${endSentence(reason)}`, advice);
}

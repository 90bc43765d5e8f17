import { BadInput } from '../../failures/failures';
import { endSentence } from '../../values/text';
import { COLUMNS } from './cells';

/** n8n limits all data tables together, and then also refuses to update a row (2.41.1). */
const IS_FULL = /size limit exceeded/i;

/** n8n's words if its Data Table node can't list and make tables, as before 2.10 (1.123.81, 2.0.0). */
const IS_TOO_OLD = /could not get parameter|the value "(?:table|list|create)" is not supported/i;

export const NO_SUCH_ID =
	'it looks like the id of a table, with 16 letters and digits, and this project has no table of that id';

/** @param reason What n8n says, or {@link NO_SUCH_ID}. */
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
			'This request was not sent. Under Data tables, delete tables and rows that you no longer need. In a purchase log, old rows in the state delivered can go. Or ask your n8n administrator to raise N8N_DATA_TABLES_MAX_SIZE_BYTES.',
		);
	}
	const message = `The purchase log "${wanted}" can't be used: ${endSentence(reason)}`;
	if (reason === NO_SUCH_ID) {
		return new BadInput(
			message,
			"This request was not sent. Enter a name in 'Purchase Log', and the node creates the table if there is none of that name, or enter the id of a table in this project. Tables of other projects can't be used.",
		);
	}
	// A new table knows nothing of what was bought, so a database that is away is no reason for one.
	return /column/i.test(reason)
		? new BadInput(
				message,
				`This request was not sent. Enter another name in 'Purchase Log', and the node creates the table. Or add what this one lacks of these columns: ${Object.keys(COLUMNS).join(', ')}.`,
			)
		: new BadInput(
				message,
				'This request was not sent. Try again once n8n can use its data tables.',
			);
}

import { notFound, type StandIn } from './interceptHttps.mjs';

/** A row of the sheet. */
export interface PromptRow {
	prompt: string;
	phone: string;
	link: string;
}

/** The sheet `Prompts` of the spreadsheet `shop`, with the columns Prompt, Phone and Link. */
export function googleSheets(rows: readonly PromptRow[]): StandIn {
	return async (request) => {
		const { pathname } = new URL(request.url);
		switch (`${request.method} ${decodeURIComponent(pathname)}`) {
			case 'GET /v4/spreadsheets/shop':
				return Response.json({ sheets: [{ properties: { sheetId: 0, title: 'Prompts' } }] });
			case "GET /v4/spreadsheets/shop/values/'Prompts'": {
				const cells = rows.map(({ prompt, phone, link }) => [prompt, phone, link]);
				return Response.json({ values: [['Prompt', 'Phone', 'Link'], ...cells] });
			}
			case 'POST /v4/spreadsheets/shop/values:batchUpdate': {
				const { data } = (await request.json()) as {
					data: { range: string; values: string[][] }[];
				};
				for (const { range, values } of data) {
					const [, line] = /^Prompts!C(\d+)$/.exec(range) ?? [];
					// The first line has the names of the columns.
					const row = rows[Number(line) - 2];
					if (!row) return new Response(`Unable to parse range: ${range}`, { status: 400 });
					row.link = values[0]?.[0] ?? '';
				}
				return Response.json({ responses: data });
			}
			default:
				return notFound(request);
		}
	};
}

import { settle, unwrap } from '../failures/failures';
import { requestOf } from '../service/sameRequest';
import type { Job } from '../types';
import { REMEMBERED_FOR } from './journal';
import type { LoggedPurchase } from './log/cells';
import { LATEST } from './log/logRows';
import { isOfOtherRun, isTakenFrom, type Purchase } from './purchase';
import type { Recording } from './recording';

/** A purchase that another run may use, as it was read. */
export interface Offer<Each extends Purchase = Purchase> {
	purchase: Each;
	/** Its run and its state when it was read. */
	run: string;
	state: Purchase['state'];
	/** Its row, if a log has it. */
	row?: LoggedPurchase;
}

/** A purchase that a run is about to take. */
interface Taking {
	job: Job;
	purchase: Purchase;
	asRead: LoggedPurchase;
}

/** Purchases of other runs, from the journal and the log, and how a run takes them. */
export class Offers {
	/** Entries that another run was faster to take, or that can't be taken as they were read: none is tried again. */
	readonly #lost = new Set<string>();

	constructor(private readonly recording: Recording) {}

	/**
	 * Finds the purchases of the jobs' requests, by request, the latest first.
	 * @param ofOthers Whether those of all nodes: of the account in this process, and all of the log. Otherwise those of its
	 *   own node.
	 * @throws if the log does not answer
	 */
	async find(jobs: readonly Job[], ofOthers: boolean): Promise<Map<string, Offer[]>> {
		const { process, log, common } = this.recording;
		const requests = new Map<string, number>();
		for (const request of jobs.map(requestOf)) {
			requests.set(request, (requests.get(request) ?? 0) + 1);
		}
		const needed = Math.max(0, ...requests.values());
		const isOwn = ({ node }: Purchase) => node === common.node;
		const isWanted = ({ request }: Purchase) => requests.has(request);
		const isOfAccount = ({ accounts }: Purchase) =>
			accounts.some((account) => common.accounts.includes(account));
		const isInReach = (each: Purchase) => isOfAccount(each) || log?.rows.hasHad(each) === true;
		let own: Purchase[] = [];
		let rows: LoggedPurchase[] = [];
		let isStale = true;
		while (isStale) {
			await log?.flush();
			const now = process.timeOfDay();
			rows = (await log?.rows.find([...requests.keys()], needed, common.node, now)) ?? [];
			own = ofOthers
				? process.journal.find((each) => isWanted(each) && isInReach(each))
				: process.journal.of(common.node).filter(isWanted);
			// An answer may have come meanwhile: nobody can take a row that says less than is known.
			isStale = own.some(
				(purchase) => log?.isPending(purchase) === true && !process.journal.isLive(purchase.run),
			);
		}
		const isComplete = (request: string) =>
			rows.filter((row) => row.request === request).length < LATEST;
		const offers = this.#merge(
			own,
			rows.filter((row) => ofOthers || isOwn(row)),
			isComplete,
		);
		const found = new Map<string, Offer[]>();
		for (const offer of offers.sort((a, b) => b.purchase.time - a.purchase.time)) {
			const { request, entry } = offer.purchase;
			if (this.#lost.has(entry)) continue;
			found.set(request, [...(found.get(request) ?? []), offer]);
		}
		return found;
	}

	/**
	 * How many images of the node may be there for its next run, at most: what the journal and the log both have counts
	 * twice.
	 * @param most A number that is enough.
	 */
	async countMost(most: number): Promise<number> {
		const { process, log, common } = this.recording;
		const since = process.timeOfDay() - REMEMBERED_FOR;
		const rows = (await log?.rows.findSince(common.node, since, most)) ?? [];
		const hasEndedWell = ({ state, execution }: Purchase) =>
			state === 'delivered' && process.words.get(execution) === 'ended well';
		return [...process.journal.of(common.node), ...rows].filter((each) => !hasEndedWell(each))
			.length;
	}

	/** Finds the purchases of the node that people have not been told of. @throws if the log does not answer */
	async findUntold(): Promise<Purchase[]> {
		const { process, log, common } = this.recording;
		await log?.flush();
		const rows = (await log?.rows.findUntold(common.node)) ?? [];
		const own = process.journal
			.of(common.node)
			.filter(({ told, state }) => !told && state !== 'delivered');
		return this.#merge(own, rows).map(({ purchase }) => purchase);
	}

	/** Finds purchases of the node by their names. @throws if the log does not answer */
	async findEntries(entries: readonly string[]): Promise<Offer[]> {
		const { process, log, common } = this.recording;
		await log?.flush();
		const rows = (await log?.rows.findEntries(entries)) ?? [];
		const own = entries.flatMap((entry) => process.journal.get({ node: common.node, entry }) ?? []);
		return this.#merge(own, rows);
	}

	/** Joins what the journal and the log say. What another process has made its own is no longer in the journal. */
	#merge(
		own: readonly Purchase[],
		rows: readonly LoggedPurchase[],
		isComplete: (request: string) => boolean = () => true,
	): Offer[] {
		const { journal } = this.recording.process;
		const { log } = this.recording;
		const offers: Offer[] = [];
		const inJournal = new Set<string>();
		for (const purchase of own) {
			const row = rows.find(({ entry }) => entry === purchase.entry);
			const isTaken =
				row !== undefined && isTakenFrom(purchase, row) && !journal.isLive(purchase.run);
			// A row that somebody has deleted counts no more.
			const isDeleted =
				row === undefined && log?.rows.hasHad(purchase) === true && isComplete(purchase.request);
			if (isTaken) journal.drop(purchase);
			if (isTaken || isDeleted) continue;
			inJournal.add(purchase.entry);
			offers.push(offerOf(purchase, row));
		}
		// Of what this process has as well, the journal is newer than what was read.
		const others = rows.filter(
			(row) => !inJournal.has(row.entry) && journal.get(row) === undefined,
		);
		return [...offers, ...others.map((row) => offerOf(row, row))];
	}

	/** The rows of offers by entry, also of those that were not read because their requests have many. */
	async #rowsOf(offers: readonly Offer[]): Promise<Map<string, LoggedPurchase>> {
		const { log } = this.recording;
		const unread = offers.filter(
			({ purchase, row }) => row === undefined && log?.rows.hasHad(purchase) === true,
		);
		const found = await log?.rows.current(unread.map(({ purchase }) => purchase));
		const rows = new Map(found);
		for (const { purchase, row } of offers) {
			if (row !== undefined) rows.set(purchase.entry, { ...row });
		}
		return rows;
	}

	/**
	 * Makes what other runs left this run's own.
	 * @returns those that it got: another run may have been faster
	 * @throws if the log does not answer
	 */
	async take(wanted: ReadonlyMap<Job, Offer>): Promise<Map<Job, Purchase>> {
		const { process, log, run, common } = this.recording;
		const won = new Map<Job, Purchase>();
		const logged: Taking[] = [];
		const rows = await this.#rowsOf([...wanted.values()]);
		for (const [job, offer] of wanted) {
			const { purchase } = offer;
			const row = rows.get(purchase.entry);
			const standing = this.#standingOf(offer, row);
			if (standing === 'lost') this.#lost.add(purchase.entry);
			if (standing !== 'as read') continue;
			const changes = { run, state: 'bought', told: false, taken: purchase.taken + 1 };
			const own = Object.assign(purchase, common, changes);
			process.journal.put(own, process.timeOfDay());
			if (row === undefined) {
				won.set(job, own);
				log?.writeSoon(own);
			} else logged.push({ job, purchase: own, asRead: row });
		}
		for (const { job, purchase } of await this.#takeRows(logged)) won.set(job, purchase);
		return won;
	}

	/**
	 * How an offer stands to what is known now: `behind` if it has changed in this process since it was read, or its row
	 * does not say so yet; `lost` if its row is gone, or another process has taken it.
	 */
	#standingOf(
		{ purchase, run, state }: Offer,
		row: LoggedPurchase | undefined,
	): 'as read' | 'lost' | 'behind' {
		const { process, log } = this.recording;
		if (purchase.run !== run || purchase.state !== state) return 'behind';
		// Another run of this process may have taken it since the log was read.
		const known = process.journal.get(purchase);
		if (known !== undefined && known !== purchase) return 'behind';
		if (log === undefined) return 'as read';
		// Somebody may have deleted its row.
		if (row === undefined) return log.rows.hasHad(purchase) ? 'lost' : 'as read';
		// Another process may have taken it while its run went on here.
		if (isOfOtherRun(row, run)) return 'lost';
		return log.isPending(purchase) ? 'behind' : 'as read';
	}

	/** Gives up what another run has by now. What its own run has only changed, this run looks for again. */
	async #noteLost(missed: readonly Taking[]): Promise<void> {
		if (missed.length === 0) return;
		const rows =
			(await this.recording.log?.rows.findByIds(missed.map(({ asRead }) => asRead))) ?? [];
		for (const { purchase, asRead } of missed) {
			const row = rows.find((each) => each.row.id === asRead.row.id);
			const isChanged = row !== undefined && row.run === asRead.run && row.state !== asRead.state;
			if (!isChanged) this.#lost.add(purchase.entry);
		}
	}

	/** Takes the rows of purchases. @returns those that this run got */
	async #takeRows(taking: readonly Taking[]): Promise<Taking[]> {
		const { process, log } = this.recording;
		if (log === undefined || taking.length === 0) return [];
		const taken = await settle(log.take(taking));
		if ('failure' in taken) {
			// The table may have done it, but this run has got nothing.
			for (const { purchase } of taking) {
				purchase.state = 'left';
				process.journal.drop(purchase);
				log.writeSoon(purchase);
			}
		}
		const entries = unwrap(taken);
		const missed = taking.filter(({ purchase }) => !entries.has(purchase.entry));
		for (const { purchase } of missed) process.journal.drop(purchase);
		await this.#noteLost(missed);
		return taking.filter(({ purchase }) => entries.has(purchase.entry));
	}
}

/** A purchase as it is now. @param row Its row, if a log has it. */
function offerOf(purchase: Purchase, row: LoggedPurchase | undefined): Offer {
	const { run, state } = purchase;
	const offer: Offer = { purchase, run, state };
	if (row !== undefined) offer.row = { ...row };
	return offer;
}

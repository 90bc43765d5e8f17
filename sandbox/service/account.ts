import { prices, type PriceName } from '../catalog';
import type { LedgerEntry } from '../types';
import { Refusal } from './refusal';

type Purchase = Omit<LedgerEntry, 'source' | 'cents' | 'at'>;

interface Terms {
	readonly allowance: number;
	readonly walletCents: number;
	now(): Date;
}

/** The account: monthly allowance, then wallet (specification 1.4), and a ledger of charges. */
export class Account {
	readonly ledger: LedgerEntry[] = [];
	/** Generations in each month's allowance. */
	readonly allowance: number;
	/** US cents. */
	walletCentsLeft: number;
	private used = 0;
	private currentMonth: string;

	constructor(private readonly terms: Terms) {
		this.allowance = terms.allowance;
		this.walletCentsLeft = terms.walletCents;
		this.currentMonth = this.clockMonth();
	}

	/** Generations left this month. */
	get allowanceLeft(): number {
		this.rollMonth();
		return this.allowance - this.used;
	}

	/** The UTC month, e.g. `2026-11`; a later one after `nextMonth`. */
	get month(): string {
		this.rollMonth();
		return this.currentMonth;
	}

	/** Adds US cents to the wallet. */
	topUp(cents: number): void {
		this.walletCentsLeft += cents;
	}

	/** Empties the allowance and the wallet. */
	useUp(): void {
		this.rollMonth();
		this.used = this.allowance;
		this.walletCentsLeft = 0;
	}

	/** Starts the next month, with a full allowance. */
	nextMonth(): void {
		const [year = 0, month = 0] = this.month.split('-').map(Number);
		this.currentMonth = new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
		this.used = 0;
	}

	/** Restores the initial state and clears the ledger. */
	reset(): void {
		this.ledger.length = 0;
		this.used = 0;
		this.walletCentsLeft = this.terms.walletCents;
		this.currentMonth = this.clockMonth();
	}

	/** @throws Refusal 402 if neither the allowance nor the wallet covers the price */
	checkFunds(priceName: PriceName): void {
		const price = prices[priceName];
		if (this.allowanceLeft > 0 || this.walletCentsLeft >= price) return;
		throw new Refusal(
			402,
			`The monthly allowance is used up and the wallet holds ${this.walletCentsLeft} cents; ` +
				`this generation costs ${price} cents.`,
		);
	}

	/** Deducts the price and adds a ledger entry. @throws Refusal 402, like `checkFunds` */
	charge(priceName: PriceName, purchase: Purchase): LedgerEntry {
		this.checkFunds(priceName);
		const source = this.allowanceLeft > 0 ? 'allowance' : 'wallet';
		const cents = source === 'wallet' ? prices[priceName] : 0;
		if (source === 'allowance') this.used += 1;
		this.walletCentsLeft -= cents;
		const at = this.terms.now().toISOString();
		const entry: LedgerEntry = { ...purchase, source, cents, at };
		this.ledger.push(entry);
		return entry;
	}

	/** Starts a new month if the clock has; never goes back, because that would refill the allowance. */
	private rollMonth(): void {
		if (this.clockMonth() <= this.currentMonth) return;
		this.currentMonth = this.clockMonth();
		this.used = 0;
	}

	private clockMonth(): string {
		return this.terms.now().toISOString().slice(0, 7);
	}
}

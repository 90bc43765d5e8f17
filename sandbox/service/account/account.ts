import type { PriceName, Prices } from '../../catalog';
import type { LedgerEntry } from '../../types';
import { Refusal } from '../http/refusal';
import type { Settings } from '../settings';

type AccountTerms = Pick<Settings, 'allowance' | 'walletCents' | 'prices' | 'now'>;
type Purchase = Omit<LedgerEntry, 'source' | 'cents' | 'at'>;

/** The account: monthly allowance, then wallet (specification 1.4), and a ledger of charges. */
export class Account {
	readonly ledger: LedgerEntry[] = [];
	/** Generations in each month's allowance. */
	readonly allowance: number;
	/** US cents. */
	walletCentsLeft: number;
	prices: Prices;
	private used = 0;
	private currentMonth: string;

	constructor(private readonly terms: AccountTerms) {
		this.allowance = terms.allowance;
		this.walletCentsLeft = terms.walletCents;
		this.prices = terms.prices;
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
		this.rollMonth();
		const [year = 0, month = 0] = this.currentMonth.split('-').map(Number);
		this.currentMonth = new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
		this.used = 0;
	}

	/** Changes prices, in US cents. */
	setPrices(prices: Partial<Prices>): void {
		this.prices = { ...this.prices, ...prices };
	}

	/** Restores the initial state and clears the ledger. */
	reset(): void {
		this.ledger.length = 0;
		this.used = 0;
		this.walletCentsLeft = this.terms.walletCents;
		this.currentMonth = this.clockMonth();
		this.prices = this.terms.prices;
	}

	/** @throws Refusal 402 if neither the allowance nor the wallet covers the price */
	checkFunds(priceName: PriceName): void {
		const price = this.prices[priceName];
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
		const cents = source === 'wallet' ? this.prices[priceName] : 0;
		if (source === 'allowance') this.used += 1;
		this.walletCentsLeft -= cents;
		const entry = { ...purchase, source, cents, at: this.terms.now().toISOString() } as const;
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

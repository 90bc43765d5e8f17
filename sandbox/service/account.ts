import type { Account as AccountView, LedgerEntry, PriceName, Prices } from '../types';
import { Refusal } from './refusal';

/** Wallet prices in US cents; the specification (8, rule 5) leaves them open. */
export const defaultPrices: Prices = {
	standard: 5,
	hd: 8,
	genius: 12,
	super_genius: 25,
	'background-remover': 5,
};

interface Terms {
	allowance: number;
	walletCents: number;
	prices: Prices;
	now: () => Date;
}

type Charged = Omit<LedgerEntry, 'source' | 'cents' | 'at'>;

/** Monthly allowance, then wallet (specification 1.4), and the ledger of what they paid for. */
export class Account implements AccountView {
	readonly ledger: LedgerEntry[] = [];
	private used = 0;
	private wallet: number;
	private currentMonth: string;
	private currentPrices: Prices;

	constructor(private readonly terms: Terms) {
		this.wallet = terms.walletCents;
		this.currentMonth = this.clockMonth();
		this.currentPrices = terms.prices;
	}

	get allowance(): number {
		return this.terms.allowance;
	}

	get allowanceLeft(): number {
		this.turnMonth();
		return this.terms.allowance - this.used;
	}

	get walletCentsLeft(): number {
		return this.wallet;
	}

	get month(): string {
		this.turnMonth();
		return this.currentMonth;
	}

	get prices(): Prices {
		return this.currentPrices;
	}

	topUp(cents: number): void {
		this.wallet += cents;
	}

	useUp(): void {
		this.turnMonth();
		this.used = this.terms.allowance;
		this.wallet = 0;
	}

	nextMonth(): void {
		this.turnMonth();
		const [year = 0, month = 0] = this.currentMonth.split('-').map(Number);
		this.currentMonth = new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
		this.used = 0;
	}

	setPrices(prices: Partial<Prices>): void {
		this.currentPrices = { ...this.currentPrices, ...prices };
	}

	/** Puts everything back to how it was at the start, the ledger included. */
	reset(): void {
		this.ledger.length = 0;
		this.used = 0;
		this.wallet = this.terms.walletCents;
		this.currentMonth = this.clockMonth();
		this.currentPrices = this.terms.prices;
	}

	/** @throws Refusal 402 when neither the allowance nor the wallet can pay for such a call. */
	checkFunds(priceName: PriceName): void {
		const price = this.prices[priceName];
		if (this.allowanceLeft > 0 || this.wallet >= price) return;
		throw new Refusal(
			402,
			`The monthly allowance is used up and the wallet holds ${this.wallet} cents; ` +
				`this call costs ${price} cents.`,
		);
	}

	/** Takes the price and writes the ledger in one step. @throws Refusal 402, as `checkFunds`. */
	charge(priceName: PriceName, charged: Charged): LedgerEntry {
		this.checkFunds(priceName);
		const source = this.allowanceLeft > 0 ? 'allowance' : 'wallet';
		const cents = source === 'wallet' ? this.prices[priceName] : 0;
		if (source === 'allowance') this.used += 1;
		this.wallet -= cents;
		const entry = { ...charged, source, cents, at: this.terms.now().toISOString() } as const;
		this.ledger.push(entry);
		return entry;
	}

	/** Only forward: a clock that is set back must not refill the allowance. */
	private turnMonth(): void {
		if (this.clockMonth() <= this.currentMonth) return;
		this.currentMonth = this.clockMonth();
		this.used = 0;
	}

	private clockMonth(): string {
		return this.terms.now().toISOString().slice(0, 7);
	}
}

import type { Account as AccountView, LedgerEntry } from '../types';
import { Refusal } from './refusal';

/** Wallet price of one call in US cents; the specification (8, rule 5) leaves it open. */
const cents: Record<string, number> = { standard: 5, hd: 8, genius: 12, super_genius: 25 };

interface Terms {
	allowance: number;
	walletCents: number;
	now: () => Date;
}

type Charged = Omit<LedgerEntry, 'source' | 'cents' | 'at'>;

/** Monthly allowance, then wallet (specification 1.4), and the ledger of what they paid for. */
export class Account implements AccountView {
	readonly ledger: LedgerEntry[] = [];
	private used = 0;
	private wallet: number;
	private month: string;

	constructor(private readonly terms: Terms) {
		this.wallet = terms.walletCents;
		this.month = this.thisMonth();
	}

	get allowanceLeft(): number {
		this.turnMonth();
		return this.terms.allowance - this.used;
	}

	get walletCentsLeft(): number {
		return this.wallet;
	}

	/** @throws Refusal 402 when neither the allowance nor the wallet can pay for a call of this tier. */
	checkFunds(tier: string): void {
		const price = priceOf(tier);
		if (this.allowanceLeft > 0 || this.wallet >= price) return;
		throw new Refusal(
			402,
			`The monthly allowance is used up and the wallet holds ${this.wallet} cents; ` +
				`this call costs ${price} cents.`,
		);
	}

	/** Takes the price and writes the ledger in one step. @throws Refusal 402, as `checkFunds`. */
	charge(tier: string, charged: Charged): void {
		this.checkFunds(tier);
		const source = this.allowanceLeft > 0 ? 'allowance' : 'wallet';
		const price = source === 'wallet' ? priceOf(tier) : 0;
		if (source === 'allowance') this.used += 1;
		this.wallet -= price;
		this.ledger.push({ ...charged, source, cents: price, at: this.terms.now().toISOString() });
	}

	private turnMonth(): void {
		if (this.month === this.thisMonth()) return;
		this.month = this.thisMonth();
		this.used = 0;
	}

	private thisMonth(): string {
		return this.terms.now().toISOString().slice(0, 7);
	}
}

function priceOf(tier: string): number {
	return cents[tier] ?? 5;
}

// The slots of a dispatcher for attempts at once, and each account's share of them: an account never has more than are free. So one
// account has half of them at most, two a third each, and however many there are, some are left for one that has none.

export class DeliverySlots {
  readonly #total: number;
  readonly #used = new Map<string, number>();
  #free: number;

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  get inUse(): number {
    return this.#total - this.#free;
  }

  /** How many more attempts the account may begin, if no other account begins any. */
  roomOf(account: string): number {
    return Math.max(0, Math.ceil((this.#free - this.#usedBy(account)) / 2));
  }

  /** True of an account that uses more than half of what it may: those of its endpoints that hang have one slot each. */
  isCrowded(account: string): boolean {
    return this.#usedBy(account) > this.#free / 2;
  }

  listFull(): string[] {
    return [...this.#used.keys()].filter((account) => this.roomOf(account) === 0);
  }

  take(account: string): void {
    this.#used.set(account, this.#usedBy(account) + 1);
    this.#free -= 1;
  }

  release(account: string): void {
    const left = this.#usedBy(account) - 1;
    if (left > 0) this.#used.set(account, left);
    else this.#used.delete(account);
    this.#free += 1;
  }

  #usedBy(account: string): number {
    return this.#used.get(account) ?? 0;
  }
}

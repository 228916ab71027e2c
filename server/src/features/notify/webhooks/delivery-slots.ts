// The slots of a dispatcher for concurrent attempts. An account never uses more slots than are free: one account gets at most
// half of them, two accounts a third each, and there is always room for a new account.

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

  /** How many more attempts the account may start, if no other account starts any. */
  roomOf(account: string): number {
    return Math.max(0, Math.ceil((this.#free - this.#usedBy(account)) / 2));
  }

  /** Whether the account uses more than half of its share; its slow endpoints then get one slot each. */
  isNearLimit(account: string): boolean {
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

/**
 * Shares out the work of many callers: a millisecond or two in each turn of the event loop, so that
 * others are served in between.
 */

/**
 * Applies to direct work and to waiting work separately. A turn accepts one connection, and
 * hundreds may wait.
 */
const usualTurnMs = 1;

/** Divides the time of a turn that has accepted a connection. */
const shortTurnFraction = 8;

const maxPiecesPerTurn = 32;

/** A piece of work, of about a millisecond. */
export interface WorkPiece {
  /** Whether it is in the queue, which sets this. */
  isWaiting: boolean;
  takeTurn(): void;
}

export class WorkInTurns {
  readonly #turnMs: number;
  readonly #clock: () => number;
  readonly #inNextTurn: (run: () => void) => void;
  readonly #waiting = new Queue();
  #runsToCome = 0;
  #isFirstRun = false;
  #isInAHurry = false;
  /** When the work of this turn ends; `undefined` between turns. */
  #overAtMs: number | undefined;

  /**
   * `inNextTurn` runs its callbacks one after the other, each with all microtasks that it causes.
   */
  constructor(
    turnMs = usualTurnMs,
    clock: () => number = () => performance.now(),
    inNextTurn: (run: () => void) => void = setImmediate,
  ) {
    this.#turnMs = turnMs;
    this.#clock = clock;
    this.#inNextTurn = inNextTurn;
  }

  /** The number of waiting pieces. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Shortens this turn, because more connections may wait. */
  shorten(): void {
    this.#isInAHurry = true;
    if (this.#runsToCome === 0) this.#schedule(1);
  }

  /** Returns whether a piece may run now: no other piece waits, and this turn has time left. */
  hasTime(): boolean {
    if (this.#waiting.size > 0) return false;
    const nowMs = this.#clock();
    this.#overAtMs ??= this.#endAfter(nowMs);
    if (this.#runsToCome === 0) this.#schedule(1);
    return nowMs < this.#overAtMs;
  }

  /** Adds a piece to the end of the queue; a waiting piece keeps its place. */
  add(piece: WorkPiece): void {
    this.#waiting.add(piece);
    if (this.#runsToCome === 0) this.#schedule(1);
  }

  remove(piece: WorkPiece): void {
    this.#waiting.remove(piece);
  }

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add({ isWaiting: false, takeTurn: resolve }));
  }

  /** Resolves when there is time for a piece of work. */
  async whenFree(): Promise<void> {
    if (!this.hasTime()) await this.next();
  }

  #schedule(runs: number): void {
    this.#runsToCome = runs;
    this.#isFirstRun = true;
    for (let run = 0; run < runs; run++) this.#inNextTurn(this.#run);
  }

  readonly #run = (): void => {
    const nowMs = this.#clock();
    if (this.#isFirstRun) this.#overAtMs = this.#endAfter(nowMs);
    this.#isFirstRun = false;
    const hasTime = nowMs < (this.#overAtMs ?? nowMs);
    try {
      if (hasTime) this.#waiting.take()?.takeTurn();
    } finally {
      this.#runsToCome--;
      if (this.#runsToCome === 0) this.#endTurn();
    }
  };

  #endAfter(nowMs: number): number {
    return nowMs + (this.#isInAHurry ? this.#turnMs / shortTurnFraction : this.#turnMs);
  }

  #endTurn(): void {
    this.#overAtMs = undefined;
    this.#isInAHurry = false;
    this.#schedule(Math.min(this.#waiting.size, maxPiecesPerTurn));
  }
}

/**
 * Pieces in order of arrival. Not a `Set`: each of its tables that grew too small refers to the next one, and once one of
 * them is in the old generation of the garbage collector, all that ever waited gets there.
 */
class Queue {
  #pieces: (WorkPiece | undefined)[] = [];
  #first = 0;
  size = 0;

  add(piece: WorkPiece): void {
    if (piece.isWaiting) return;
    piece.isWaiting = true;
    this.#pieces.push(piece);
    this.size++;
  }

  /** The piece stays in the list until its turn, when it is skipped. */
  remove(piece: WorkPiece): void {
    if (!piece.isWaiting) return;
    piece.isWaiting = false;
    this.size--;
    if (this.size === 0) this.#drop(this.#pieces.length);
  }

  /** Removes the first piece and returns it. */
  take(): WorkPiece | undefined {
    while (this.size > 0) {
      const piece = this.#pieces[this.#first];
      this.#pieces[this.#first++] = undefined;
      if (piece?.isWaiting !== true) continue;
      this.remove(piece);
      const isMostlyTaken = this.#first >= minTaken && this.#first * 2 > this.#pieces.length;
      if (isMostlyTaken) this.#drop(this.#first);
      return piece;
    }
    return undefined;
  }

  #drop(count: number): void {
    this.#pieces.splice(0, count);
    this.#first = 0;
  }
}

/** Fewer are not worth moving the rest. */
const minTaken = 1000;

/** Shared by all connections and responses of the process. */
export const turns = new WorkInTurns();

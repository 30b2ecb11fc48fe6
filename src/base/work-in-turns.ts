/**
 * Work that many callers ask for at once, a millisecond or two of it in each turn of the event loop, so that
 * whoever asks for little is answered in between.
 */

/**
 * How long a turn works; what goes on directly and what waited have as much each. In each turn of the loop
 * one new connection is taken in, so whoever comes behind four hundred others waits for as many turns.
 */
const usualTurnMs = 1;

/** What part of it is left in a turn that has taken a connection in. */
const hurryFraction = 8;

/** At most so many pieces are begun in a turn. */
const maxPiecesPerTurn = 32;

/** Work that goes on, a piece of a millisecond or so, each time that it has been added. */
export interface WorkPiece {
  takeTurn(): void;
}

export class WorkInTurns {
  readonly #turnMs: number;
  readonly #clock: () => number;
  readonly #inNextTurn: (run: () => void) => void;
  /** In the order they came. */
  readonly #waiting = new Set<WorkPiece>();
  #runsToCome = 0;
  #isFirstRun = false;
  #isInAHurry = false;
  /** When this turn has worked enough; none between turns. */
  #overAtMs: number | undefined;

  /** `inNextTurn` has its calls made one after the other, each with all that it sets off. */
  constructor(
    turnMs = usualTurnMs,
    clock: () => number = () => performance.now(),
    inNextTurn: (run: () => void) => void = setImmediate,
  ) {
    this.#turnMs = turnMs;
    this.#clock = clock;
    this.#inNextTurn = inNextTurn;
  }

  /** How many pieces wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Somebody is at the door, behind whom others may stand: this turn works a fraction as long. */
  hurry(): void {
    this.#isInAHurry = true;
    if (this.#runsToCome === 0) this.#schedule(1);
  }

  /** Whether a piece may be done directly: none waits, and this turn has not worked enough. */
  hasTime(): boolean {
    if (this.#waiting.size > 0) return false;
    const nowMs = this.#clock();
    this.#overAtMs ??= this.#endAfter(nowMs);
    if (this.#runsToCome === 0) this.#schedule(1);
    return nowMs < this.#overAtMs;
  }

  /** Lets a piece wait behind the others; one that waits already keeps its place. */
  add(piece: WorkPiece): void {
    this.#waiting.add(piece);
    if (this.#runsToCome === 0) this.#schedule(1);
  }

  /** Lets go of a piece, whether it waits or not. */
  remove(piece: WorkPiece): void {
    this.#waiting.delete(piece);
  }

  /** Resolves when it is the caller's turn: what it then does counts, until it waits for something else. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add({ takeTurn: resolve }));
  }

  /** Resolves when there is time for a piece: at once where {@link hasTime} says so. */
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
    const [piece] = hasTime ? this.#waiting : [];
    try {
      if (piece !== undefined) this.#waiting.delete(piece);
      piece?.takeTurn();
    } finally {
      this.#runsToCome--;
      if (this.#runsToCome === 0) this.#endTurn();
    }
  };

  #endAfter(nowMs: number): number {
    return nowMs + (this.#isInAHurry ? this.#turnMs / hurryFraction : this.#turnMs);
  }

  #endTurn(): void {
    this.#overAtMs = undefined;
    this.#isInAHurry = false;
    this.#schedule(Math.min(this.#waiting.size, maxPiecesPerTurn));
  }
}

/** What all connections and answers of the process share, as they share its event loop. */
export const turns = new WorkInTurns();

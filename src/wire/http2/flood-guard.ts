/** Frames that cost the server more than the client, counted by kind: RFC 9113 section 10.5. */

/** So many of a kind a connection may have in {@link windowMs}. */
export const maxFrames = 1_000;
export const windowMs = 10_000;

/** The window moves on by this much at a time. */
const stepMs = 1_000;
const steps = windowMs / stepMs;

export type FrameKind = 'reset' | 'settings' | 'ping';

export class FloodGuard {
  readonly #counts = new Map<FrameKind, RecentCount>();

  /** Counts a frame, and says how many of its kind came in the window that ends now. */
  count(kind: FrameKind, nowMs: number): number {
    let count = this.#counts.get(kind);
    if (count === undefined) {
      count = new RecentCount();
      this.#counts.set(kind, count);
    }
    return count.add(nowMs);
  }
}

/** How many there were in each step of the window. */
class RecentCount {
  readonly #bySteps = new Array<number>(steps).fill(0);
  #step = 0;
  #total = 0;

  add(nowMs: number): number {
    const step = Math.floor(nowMs / stepMs);
    const passed = Math.min(step - this.#step, steps);
    for (let gone = 1; gone <= passed; gone++) {
      const place = (this.#step + gone) % steps;
      this.#total -= this.#bySteps[place] ?? 0;
      this.#bySteps[place] = 0;
    }
    if (passed > 0) this.#step = step;
    const place = this.#step % steps;
    this.#bySteps[place] = (this.#bySteps[place] ?? 0) + 1;
    return ++this.#total;
  }
}

/**
 * What arrives on a connection of HTTP/2 and is nothing to anybody: windows that open by a byte, priorities, frames
 * that nobody knows. Node tells of none of them, so what is left of all bytes is weighed (RFC 9113 section 10.5).
 */

import { windowMs } from './flood-guard.js';

/** So much a connection may have of it in {@link windowMs}, beyond its share of what it was sent. */
export const maxOverheadBytes = 64 * 1024;

/** For each byte sent: who takes an answer in small frames may say for each that there is room again. */
const shareOfSent = 0.5;

export const overheadCheckMs = 250;
const checks = windowMs / overheadCheckMs;

/** Of a connection, in bytes since it began. */
export interface Traffic {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

export class FrameOverhead {
  readonly #traffic: Traffic;
  /** What it was at each check of the window. */
  readonly #before: number[] = [0];
  #weighed = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** Takes off what requests weigh. */
  weigh(bytes: number): void {
    this.#weighed += bytes;
  }

  /** Whether there was too much; call every {@link overheadCheckMs}. */
  isTooMuch(): boolean {
    const { bytesRead, bytesWritten } = this.#traffic;
    const now = bytesRead - this.#weighed - bytesWritten * shareOfSent;
    const least = Math.min(...this.#before);
    this.#before.push(now);
    if (this.#before.length > checks) this.#before.shift();
    return now - least > maxOverheadBytes;
  }
}

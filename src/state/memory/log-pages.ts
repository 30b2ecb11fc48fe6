/**
 * Memory for the entries of one log, outside of the heap, so that the limit of bytes matches the
 * real use. Small entries share a page, because separate pages would cost twice as much.
 */

export interface Page {
  readonly room: Buffer;
  end: number;
  entries: number;
  /** Whether a copy of a log refers to it, which keeps its bytes. */
  isCopied: boolean;
}

const pageOverheadBytes = 448;

/** Requests of one client differ in length by a few digits, so the next one fits as well. */
const stepBytes = 256;

/** A larger entry has a page for itself. */
const maxSharedBytes = 4 * 1024;
const maxPageBytes = 16 * 1024;

export class LogPages {
  bytes = 0;
  #filled: Page | undefined;

  /**
   * Returns a page with room: the current page, an emptied page that fits without waste, or a new
   * page.
   */
  pageFor(length: number, emptied: Page | undefined): Page {
    const filled = this.#filled;
    if (filled !== undefined && length <= filled.room.length - filled.end) {
      this.release(emptied);
      return filled;
    }
    const wanted = this.#wantedBytes(length);
    let page = emptied;
    if (page === undefined || page.isCopied || !isFitting(page.room, length, wanted)) {
      this.release(emptied);
      page = { room: Buffer.allocUnsafeSlow(wanted), end: 0, entries: 0, isCopied: false };
      this.bytes += wanted + pageOverheadBytes;
    }
    page.end = 0;
    this.#filled = page;
    return page;
  }

  /**
   * Removes an entry from its page, and returns the page if it is empty: it counts until it is
   * released.
   */
  leave(page: Page): Page | undefined {
    page.entries -= 1;
    if (page.entries > 0) return undefined;
    if (page === this.#filled) this.#filled = undefined;
    return page;
  }

  release(page: Page | undefined): void {
    if (page !== undefined) this.bytes -= page.room.length + pageOverheadBytes;
  }

  /** Pages of small entries grow with the size of the log. */
  #wantedBytes(length: number): number {
    const shared = length > maxSharedBytes ? 0 : Math.min(this.bytes / 4, maxPageBytes);
    return Math.ceil(Math.max(length, shared) / stepBytes) * stepBytes;
  }
}

function isFitting(room: Buffer, length: number, wanted: number): boolean {
  return room.length >= length && room.length <= 2 * wanted;
}

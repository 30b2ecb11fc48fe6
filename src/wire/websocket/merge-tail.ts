/** Small pieces of bytes put together, so that what they cost is their bytes, however many came. */

/** Larger pieces stay as they are. */
const largeBytes = 16 * 1024;

/**
 * Merges the last pieces of a list in which each was added at its end. Every byte is copied a few times at the
 * most, because a piece is merged with one before it that is not much longer.
 */
export function mergeTail(pieces: Buffer[]): void {
  for (let last = pieces.length - 1; last > 0; last--) {
    const piece = pieces[last];
    const before = pieces[last - 1];
    if (piece === undefined || before === undefined) return;
    const isLarge = piece.length + before.length > largeBytes;
    if (isLarge || before.length > 2 * piece.length) return;
    const merged = Buffer.allocUnsafeSlow(before.length + piece.length);
    merged.set(before);
    merged.set(piece, before.length);
    pieces.splice(last - 1, 2, merged);
  }
}

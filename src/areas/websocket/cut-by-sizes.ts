/** Parses fragment sizes of a query, and cuts messages by them. */

const maxSizes = 100;
const maxSize = 1024 * 1024;

/** Returns `undefined` if the text is not such a list. */
export function parseFragmentSizes(text: string): readonly number[] | undefined {
  const sizes = text.split(',').map((size) => size.trim());
  if (sizes.length > maxSizes || !sizes.every((size) => /^\d{1,7}$/.test(size))) return undefined;
  const numbers = sizes.map(Number);
  return numbers.every((size) => size <= maxSize) ? numbers : undefined;
}

/**
 * Returns the sizes as far as the message is long enough, and the rest as the last; always at least
 * one.
 */
export function cutBySizes(length: number, sizes: readonly number[]): number[] {
  const cut: number[] = [];
  let left = length;
  for (const size of sizes) {
    if (left === 0) break;
    cut.push(Math.min(size, left));
    left -= Math.min(size, left);
  }
  if (left > 0 || cut.length === 0) cut.push(left);
  return cut;
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * Returns the median of some numbers, the smallest and the largest.
 *
 * @param {readonly number[]} numbers
 */
export function spreadOf(numbers) {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) };
}

/**
 * Returns the number below which a share of the numbers is.
 *
 * @param {readonly number[]} numbers
 * @param {number} share
 */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Counts the values in a JSON value, including itself. Stops a little above `limit`. */
export function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (count > limit) break;
    count += countValues(inner, limit - count);
  }
  return count;
}

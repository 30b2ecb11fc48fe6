/** The number of values in a value of JSON, itself included; no further than a little over `limit`. */
export function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (count > limit) break;
    count += countValues(inner, limit - count);
  }
  return count;
}

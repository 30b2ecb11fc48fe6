/** What an entry costs beside its value, and what a value is taken to cost that does not say. */
const entryOverheadBytes = 150;
const usualValueBytes = 250;

/** About what an entry takes, from what its change says of the value. */
export function entryBytes(valueBytes = usualValueBytes): number {
  return entryOverheadBytes + valueBytes;
}

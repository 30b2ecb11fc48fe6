/**
 * Own data of the maximum size: 10,000 records as a file in the format of json-server's `db.json`.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const categories = ['tools', 'toys', 'books', 'food', 'plants'];

export const records = Array.from({ length: 10_000 }, (_, index) => ({
  id: index + 1,
  title: `Record ${index + 1}`,
  category: categories[index % categories.length],
  price: (index * 7919) % 10_007,
  available: index % 3 > 0,
  addedAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
  maker: { name: `Maker ${index % 97}`, city: `City ${index % 41}` },
  tags: [`t${index % 10}`, `t${index % 7}`],
}));

/** Writes the file, and returns its path; it exists as long as this process. */
export function writeRecordsFile() {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'db.json');
  writeFileSync(file, JSON.stringify({ records }));
  return file;
}

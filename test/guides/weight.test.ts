/** What a guide weighs, as a browser that has nothing yet gets it. */

import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { asBrowser, names, pathOf } from './guide-names.js';

const service = useService();
const { send } = service;

const assets = new Map<string, number>();

/** What a browser without anything has to take: the file with all that it names, compressed. */
async function weigh(path: string): Promise<number> {
  const known = assets.get(path);
  if (known !== undefined) return known;
  const headers = { ...asBrowser, 'Accept-Encoding': 'br' };
  const { headers: sent, bytes } = await send(`GET ${path}`, { headers });
  assets.set(path, bytes.length);
  const text =
    sent['content-encoding'] === 'br' ? String(brotliDecompressSync(bytes)) : String(bytes);
  const named = path.endsWith('.js')
    ? [...text.matchAll(/(?:from|import)\s*["'](\.\/[^"']+)["']/g)]
    : [
        ...text.matchAll(
          /<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]* (?:src|href)="([^"]+)"/g,
        ),
      ];
  let total = bytes.length;
  for (const [, file = ''] of named)
    total += await weigh(new URL(file, service.url + path).pathname);
  return total;
}

test.each(names)('%s takes at most 60 KiB, cold', async (name) => {
  assets.clear();
  expect(await weigh(pathOf(name))).toBeLessThanOrEqual(60 * 1024);
  expect([...assets.keys()].some((path) => path.endsWith('.js'))).toBe(true);
  expect([...assets.keys()].some((path) => path.endsWith('.css'))).toBe(true);
});

/** The weight of a page with an empty cache: the file and everything that it names, compressed. */

import { brotliDecompressSync } from 'node:zlib';
import type { TestService } from './service.js';

export interface PageWeight {
  readonly bytes: number;
  readonly files: readonly string[];
}

export async function weighPage(service: TestService, page: string): Promise<PageWeight> {
  const files = new Map<string, number>();

  async function weigh(path: string): Promise<void> {
    if (files.has(path)) return;
    const headers = { Accept: 'text/html', 'Accept-Encoding': 'br' };
    const { headers: sent, bytes } = await service.send(`GET ${path}`, { headers });
    files.set(path, bytes.length);
    const text =
      sent['content-encoding'] === 'br' ? String(brotliDecompressSync(bytes)) : String(bytes);
    const named = path.endsWith('.js')
      ? text.matchAll(/(?:from|import)\s*["'](\.\/[^"']+)["']/g)
      : text.matchAll(
          /<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]* (?:src|href)="([^"]+)"/g,
        );
    for (const [, file = ''] of named) await weigh(new URL(file, service.url + path).pathname);
  }

  await weigh(page);
  const bytes = [...files.values()].reduce((sum, each) => sum + each, 0);
  return { bytes, files: [...files.keys()] };
}

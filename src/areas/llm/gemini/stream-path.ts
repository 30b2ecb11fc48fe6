/** Whether the stream of a request is a JSON array, and not server-sent events. */

import type { Request } from '#http/exchange.js';

export function isArrayStream({ url, query }: Pick<Request, 'url' | 'query'>): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return /:streamGenerateContent$/i.test(path) && !isSse(query);
}

export const isSse = (query: unknown): boolean =>
  (query as { readonly alt?: unknown } | undefined)?.alt === 'sse';

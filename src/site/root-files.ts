/** Files at the root for programs: an icon, robots.txt, and an index for language models. */

import { lazily } from '#base/lazily.js';
import { addressedContent, placeholderBaseUrl } from '#http/caching/addressed-content.js';
import { type Content, contentOf, sendContent } from '#http/caching/content.js';
import type { Request } from '#http/exchange.js';
import { endpoint } from '#kit/endpoint.js';
import type { Infrastructure } from '#kit/infrastructure.js';
import { importedFileToken } from '#kit/offers/front-page.js';
import { readBuiltFile } from '#kit/pages/page-files.js';
import { loadGuides } from './guides/guides.js';
import { writeLlmsText } from './write-llms-text.js';

const plainText = 'text/plain; charset=utf-8';

/** Crawlers may index pages, but not call endpoints. */
const robots =
  'User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /guides\nAllow: /llms.txt\nDisallow: /\n';

const robotsText = lazily(async () => contentOf(Buffer.from(robots), plainText));
const icon = lazily(async () =>
  contentOf(await readBuiltFile('favicon.ico'), 'image/vnd.microsoft.icon'),
);

export const rootFiles: Infrastructure = {
  name: 'root-files',
  title: 'Root files',
  summary: 'Files at the root for programs.',
  front: { start: '/llms.txt' },
  endpoints({ areas, offers, catalogue }) {
    const llmsText = addressedContent(plainText, async () => {
      await catalogue.complete();
      return writeLlmsText({
        areas,
        imports: offers.all(importedFileToken),
        operations: catalogue.operations(),
        guides: [...(await loadGuides()).values()],
        baseUrl: placeholderBaseUrl,
      });
    });
    return [
      readFile('/favicon.ico', 'public, max-age=86400', icon),
      readFile('/robots.txt', 'public, max-age=86400', robotsText),
      readFile('/llms.txt', 'no-cache', ({ baseUrl }) => llmsText(baseUrl)),
    ];
  },
};

const readFile = (path: string, caching: string, make: (request: Request) => Promise<Content>) =>
  endpoint('GET', path, {
    hide: true,
    async handle(request, reply) {
      reply.header('cache-control', caching);
      return sendContent(request, reply, await make(request));
    },
  });

/** What programs look for at the root: an icon, what crawlers may read, and an index for language models. */

import { lazily } from '../base/lazily.js';
import { addressedContent, placeholderBaseUrl } from '../http/caching/addressed-content.js';
import { contentOf, sendContent } from '../http/caching/content.js';
import type { Infrastructure } from '../kit/infrastructure.js';
import { loadGuides } from './guides/guides.js';
import { readBuiltFile } from './page-files.js';
import { writeLlmsText } from './write-llms-text.js';

const plainText = 'text/plain; charset=utf-8';

/** Pages are for everyone; a crawler that called the endpoints would find nothing to keep. */
const robots =
  'User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /guides\nAllow: /llms.txt\nDisallow: /\n';

export const rootFiles: Infrastructure = {
  name: 'root-files',
  title: 'Root files',
  front: {
    start: '/llms.txt',
  },
  summary: 'What programs look for at the root.',
  addRoutes(app, { areas, baseUrlOf, catalogue }) {
    const schema = { hide: true };
    const icon = lazily(async () =>
      contentOf(await readBuiltFile('favicon.ico'), 'image/vnd.microsoft.icon'),
    );
    const robotsText = contentOf(Buffer.from(robots), plainText);
    const llmsText = addressedContent(plainText, async () =>
      writeLlmsText({
        areas,
        operations: catalogue.operations(),
        guides: [...(await loadGuides()).values()],
        baseUrl: placeholderBaseUrl,
      }),
    );

    app.get('/favicon.ico', { schema }, async (request, reply) => {
      reply.header('cache-control', 'public, max-age=86400');
      return sendContent(request, reply, await icon());
    });
    app.get('/robots.txt', { schema }, async (request, reply) => {
      reply.header('cache-control', 'public, max-age=86400');
      return sendContent(request, reply, robotsText);
    });
    app.get('/llms.txt', { schema }, async (request, reply) => {
      reply.header('cache-control', 'no-cache');
      return sendContent(request, reply, await llmsText(baseUrlOf(request)));
    });
  },
};

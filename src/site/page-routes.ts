/** Serves the pages at their paths, and their assets: scripts, styles, fonts. */

import { Type } from 'typebox';
import { sendContent } from '#http/caching/content.js';
import { HttpError } from '#http/http-error.js';
import { endpoint } from '#kit/endpoint.js';
import type { Infrastructure } from '#kit/infrastructure.js';
import { loadAsset } from '#kit/pages/page-files.js';
import { pageNames, pathsOf } from '#kit/pages/pages.js';
import { pathToRoot, sendPage } from '#kit/pages/send-page.js';
import { referencePage } from './reference-page.js';

export const pageRoutes: Infrastructure = {
  name: 'pages',
  title: 'Pages',
  summary: 'The pages of this service and their assets.',
  front: { start: '/' },
  endpoints({ catalogue }) {
    const reference = referencePage(catalogue);
    const pages = pageNames.flatMap((name) =>
      pathsOf(name).map((path) =>
        endpoint('GET', path, {
          hide: true,
          async handle(request, reply) {
            const isReference = name === 'docs';
            const rendered = isReference ? await reference(pathToRoot(request.url)) : undefined;
            return sendPage(request, reply, name, rendered);
          },
        }),
      ),
    );
    return [...pages, readAsset];
  },
};

const readAsset = endpoint('GET', '/assets/:file', {
  hide: true,
  params: { file: Type.String() },
  async handle(request, reply) {
    const content = await loadAsset(request.params.file);
    if (content === undefined) throw new HttpError(404, 'There is no asset with this name.');
    reply
      // Asset names contain a hash of the content, so the content never changes.
      .header('cache-control', 'public, max-age=31536000, immutable')
      // Without this, requests from a style sheet would send its URL.
      .header('referrer-policy', 'no-referrer');
    return sendContent(request, reply, content);
  },
});

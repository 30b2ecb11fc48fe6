/** The pages at their own addresses, and what all pages load: scripts, styles, fonts. */

import { Type } from 'typebox';
import { sendContent } from '../http/caching/content.js';
import { HttpError } from '../http/http-error.js';
import { endpoint } from '../kit/endpoint.js';
import type { Infrastructure } from '../kit/infrastructure.js';
import { loadAsset } from '../kit/pages/page-files.js';
import { pageNames, pathsOf } from '../kit/pages/pages.js';
import { pathToRoot, sendPage } from '../kit/pages/send-page.js';
import { referencePage } from './reference-page.js';

export const pageRoutes: Infrastructure = {
  name: 'pages',
  title: 'Pages',
  summary: 'The pages of this service and what they load.',
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
    if (content === undefined) throw new HttpError(404, 'There is no asset of this name.');
    reply
      // The hash of its content is in the name of every asset: what a name stands for never changes.
      .header('cache-control', 'public, max-age=31536000, immutable')
      // What a style sheet loads is told the address of the style sheet, unless that says otherwise.
      .header('referrer-policy', 'no-referrer');
    return sendContent(request, reply, content);
  },
});

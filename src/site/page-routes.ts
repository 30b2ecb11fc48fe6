/** The pages at their own addresses, and what all pages load: scripts, styles, fonts. */

import { Type } from 'typebox';
import { type Content, sendContent } from '../http/caching/content.js';
import { HttpError } from '../http/http-error.js';
import type { Infrastructure } from '../kit/infrastructure.js';
import { loadAsset } from './page-files.js';
import { type PageName, pageNames, pathsOf } from './pages.js';
import { referencePage } from './reference/reference-page.js';
import { pathToRoot, sendPage } from './send-page.js';

/** The hash of its content is in the name of every asset: what a name stands for never changes. */
const forever = 'public, max-age=31536000, immutable';

export const pageRoutes: Infrastructure = {
  name: 'pages',
  title: 'Pages',
  front: {
    start: '/',
  },
  summary: 'The pages of this service and what they load.',
  addRoutes(app, { catalogue }) {
    /** Pages that tell of this very service; the others are sent as they were built. */
    const renderers: Partial<Record<PageName, (root: string) => Promise<Content>>> = {
      docs: referencePage(catalogue),
    };
    const schema = { hide: true };
    for (const name of pageNames) {
      for (const path of pathsOf(name)) {
        app.get(path, { schema }, async (request, reply) => {
          const rendered = await renderers[name]?.(pathToRoot(request.url));
          return sendPage(request, reply, name, rendered);
        });
      }
    }

    app.get(
      '/assets/:file',
      { schema: { ...schema, params: Type.Object({ file: Type.String() }) } },
      async (request, reply) => {
        const { file } = request.params;
        const content = await loadAsset(file);
        if (content === undefined) throw new HttpError(404, 'There is no asset of this name.');
        // What a style sheet loads is told the address of the style sheet, unless that says otherwise.
        reply.header('cache-control', forever).header('referrer-policy', 'no-referrer');
        return sendContent(request, reply, content);
      },
    );
  },
};

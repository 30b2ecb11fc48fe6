/** The pages at their own addresses, and what all pages load: scripts, styles, fonts. */

import { Type } from 'typebox';
import type { Area } from '../server/area.js';
import { sendContent } from '../server/content.js';
import { HttpError } from '../server/http-error.js';
import { loadAsset } from './page-files.js';
import { pageNames, pathsOf } from './pages.js';
import { sendPage } from './send-page.js';

/** The hash of its content is in the name of every asset: what a name stands for never changes. */
const forever = 'public, max-age=31536000, immutable';

export const pageRoutes: Area = {
  name: 'pages',
  title: 'Pages',
  start: '/',
  summary: 'The pages of this service and what they load.',

  addRoutes(app) {
    const schema = { hide: true };
    for (const name of pageNames) {
      for (const path of pathsOf(name)) {
        app.get(path, { schema }, (request, reply) => sendPage(request, reply, name));
      }
    }

    app.get(
      '/assets/:file',
      { schema: { ...schema, params: Type.Object({ file: Type.String() }) } },
      async (request, reply) => {
        const { file } = request.params;
        const content = await loadAsset(file);
        if (content === undefined) throw new HttpError(404, 'There is no asset of this name.');
        reply.header('cache-control', forever);
        return sendContent(request, reply, content);
      },
    );
  },
};

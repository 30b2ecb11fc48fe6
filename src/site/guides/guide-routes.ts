/** The documentation, served at `/guides`: as pages to browsers, as Markdown to whoever asks for it. */

import { extname } from 'node:path';
import { Type } from 'typebox';
import { addVary } from '../../http/caching/caching.js';
import { type Content, contentOf, sendContent } from '../../http/caching/content.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { readPreferences } from '../../http/negotiation/read-preferences.js';
import type { Infrastructure } from '../../kit/infrastructure.js';
import { readGuideFile } from '../page-files.js';
import { pathToRoot, sendPage } from '../send-page.js';
import { credentialReplacements } from './fill-in.js';
import { guideForms } from './guide-page.js';
import { frontName, type Guide, loadGuideFiles, loadGuides } from './guides.js';

const schema = { hide: true };
const anyPath = { ...schema, params: Type.Object({ '*': Type.String() }) };

/** What may stand beside the pages. */
const fileTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

export const guideRoutes: Infrastructure = {
  name: 'guides',
  title: 'Guides',
  front: {
    start: '/guides',
  },
  summary: 'The documentation of this service.',
  addRoutes(app, { areas, baseUrlOf, config, defaults }) {
    const forms = guideForms(areas, credentialReplacements(areas, defaults, config));
    const files = new Map<string, Content>();

    async function sendGuide(request: Request, reply: Reply, guide: Guide) {
      addVary(reply, 'Accept');
      const baseUrl = baseUrlOf(request);
      if (prefersMarkdown(request.headers.accept)) return sendMarkdown(request, reply, guide);
      const page = await forms.page(guide, pathToRoot(request.url), baseUrl);
      return sendPage(request, reply, 'guides', page);
    }

    async function sendMarkdown(request: Request, reply: Reply, guide: Guide) {
      reply.header('cache-control', 'no-cache');
      return sendContent(request, reply, await forms.markdown(guide, baseUrlOf(request)));
    }

    async function loadFile(name: string, type: string): Promise<Content> {
      const content = files.get(name) ?? contentOf(await readGuideFile(name), type);
      files.set(name, content);
      return content;
    }

    app.get('/guides', { schema }, async (request, reply) =>
      sendGuide(request, reply, await guideOf(frontName)),
    );
    app.get('/guides.md', { schema }, async (request, reply) =>
      sendMarkdown(request, reply, await guideOf(frontName)),
    );
    app.get('/guides/*', { schema: anyPath }, async (request, reply) => {
      const name = request.params['*'].toLowerCase().replace(/\/$/, '');
      const type = fileTypes[extname(name)];
      if (type !== undefined && (await loadGuideFiles()).has(name)) {
        reply.header('cache-control', 'no-cache');
        return sendContent(request, reply, await loadFile(name, type));
      }
      const isMarkdown = name.endsWith('.md');
      const guide = await guideOf(isMarkdown ? name.slice(0, -3) : name);
      return isMarkdown ? sendMarkdown(request, reply, guide) : sendGuide(request, reply, guide);
    });
  },
};

async function guideOf(name: string): Promise<Guide> {
  const guide = (await loadGuides()).get(name);
  if (guide === undefined) {
    throw new HttpError(404, 'There is no guide at this address. GET /guides lists them all.');
  }
  return guide;
}

/** Whether Markdown is asked for by its name, and liked more than any page. */
function prefersMarkdown(accept: string | undefined): boolean {
  const preferences = readPreferences(accept);
  return (preferences.get('text/markdown') ?? 0) > (preferences.get('text/html') ?? 0);
}

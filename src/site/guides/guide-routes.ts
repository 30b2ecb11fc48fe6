/**
 * Serves the documentation at `/guides`: pages for browsers, Markdown for clients that request it.
 */

import { Type } from 'typebox';
import { nearestPaths } from '#app/suggestions/nearest-paths.js';
import { relatedPaths } from '#app/suggestions/related-paths.js';
import { prefixOf } from '#http/address/sandbox-address.js';
import { addVary } from '#http/caching/caching.js';
import { type Content, contentOf, sendContent } from '#http/caching/content.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { readPreferences } from '#http/negotiation/read-preferences.js';
import { endpoint } from '#kit/endpoint.js';
import type { AppContext, Infrastructure } from '#kit/infrastructure.js';
import { contentTypeOf, readGuideFile } from '#kit/pages/page-files.js';
import { pathToRoot, sendPage } from '#kit/pages/send-page.js';
import { credentialReplacements } from './fill-in.js';
import { guideContents } from './guide-page.js';
import { frontName, guidePath, loadGuideFiles, loadGuides } from './guides.js';

export const guideRoutes: Infrastructure = {
  name: 'guides',
  title: 'Guides',
  summary: 'The documentation of this service.',
  front: { start: '/guides' },
  endpoints(context) {
    const send = guideSender(context);
    return [
      endpoint('GET', '/guides', {
        hide: true,
        handle: (request, reply) => send(request, reply, frontName),
      }),
      endpoint('GET', '/guides.md', {
        hide: true,
        handle: (request, reply) => send(request, reply, `${frontName}.md`),
      }),
      endpoint('GET', '/guides/*', {
        hide: true,
        params: { '*': Type.String() },
        handle: (request, reply) =>
          send(request, reply, request.params['*'].toLowerCase().replace(/\/$/, '')),
      }),
    ];
  },
};

/** Makes the function that sends a guide, its Markdown or an asset of it, by name. */
function guideSender({ areas, config, defaults }: AppContext) {
  const contentAt = guideContents(areas, credentialReplacements(areas, defaults, config));
  const files = new Map<string, Content>();
  return async (request: Request, reply: Reply, name: string) => {
    if ((await loadGuideFiles()).has(name)) {
      const file = files.get(name) ?? contentOf(await readGuideFile(name), contentTypeOf(name));
      files.set(name, file);
      return sendContent(request, reply.header('cache-control', 'no-cache'), file);
    }
    const isMarkdown = name.endsWith('.md');
    const guide = (await loadGuides()).get(isMarkdown ? name.slice(0, -3) : name);
    if (guide === undefined) {
      throw unknownGuide(request, [...(await loadGuides()).keys()]);
    }
    if (!isMarkdown) addVary(reply, 'Accept');
    if (isMarkdown || prefersMarkdown(request.headers.accept)) {
      const text = await contentAt(guide, request.baseUrl);
      return sendContent(request, reply.header('cache-control', 'no-cache'), text);
    }
    const page = await contentAt(guide, request.baseUrl, pathToRoot(request.url));
    return sendPage(request, reply, 'guides', page);
  };
}

function unknownGuide({ raw, url }: Request, names: readonly string[]): HttpError {
  const [path = ''] = url.split('?', 1);
  const paths = names.map(guidePath);
  const within = relatedPaths(paths).withMore(path);
  const suggestions = within.length > 0 ? within : nearestPaths(paths)(path);
  const prefix = prefixOf(raw);
  const meant = suggestions.map((each) => prefix + each).join(' or ');
  const hint = meant === '' ? '' : ` Did you mean ${meant}?`;
  const message = `There is no guide at this path.${hint} GET ${prefix}/guides lists all guides.`;
  return new HttpError(404, message, { suggestions });
}

/** Returns whether Accept names Markdown with a higher weight than HTML. */
function prefersMarkdown(accept: string | undefined): boolean {
  const preferences = readPreferences(accept);
  return (preferences.get('text/markdown') ?? 0) > (preferences.get('text/html') ?? 0);
}

/** An endpoint that has a list for programs, and a page for browsers. */

import { type TSchema, Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, unvalidated } from '../endpoint.js';
import { pageResponseHeaders } from './send-page.js';

interface ListOrPage {
  readonly summary: string;
  /** The schema of the list. */
  readonly list: TSchema;
  readonly read: (baseUrl: string) => unknown;
  readonly sendPage: (request: Request, reply: Reply) => Promise<Reply>;
}

export const listOrPage = (path: string, { summary, list, read, sendPage }: ListOrPage) =>
  endpoint('GET', path, {
    summary,
    headers: unvalidated(ifNoneMatch),
    responses: {
      200: {
        description: 'The list, or the page for browsers.',
        content: { 'application/json': { schema: list }, 'text/html': { schema: Type.String() } },
      },
      304: Type.Null({ description: "The browser's copy of the page is current." }),
    },
    responseHeaders: {
      200: { ...vary, ...optional(pageResponseHeaders[200]) },
      304: { ...vary, ...pageResponseHeaders[304] },
    },
    // Browsers cannot send a service key when they open a page.
    isOpen: ({ headers }) => prefersPage(headers.accept),
    handle(request, reply) {
      addVary(reply, 'Accept');
      return prefersPage(request.headers.accept) ? sendPage(request, reply) : read(request.baseUrl);
    },
  });

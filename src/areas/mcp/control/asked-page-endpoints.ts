/** Pages that tools ask users to open. */

import { Type } from 'typebox';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { endpoint } from '#kit/endpoint.js';
import { html } from '#kit/pages/html.js';
import { renderPage } from '#kit/pages/plain-page.js';
import { noteElicitation } from '../judge/watch.js';
import { findPage, notePage, type PageStep } from '../model/asked-pages.js';
import { askedPagePath } from '../tools/ask-by-url.js';

const common = {
  // Only a tool knows the URL.
  hide: true,
  params: { id: Type.String() },
  responses: {
    200: { description: 'The page.', content: { 'text/html': { schema: Type.String() } } },
  },
} as const;

const openPage = renderPage(
  'A tool asks you',
  html`<h1>A tool asks you</h1>
<p>A tool of the MCP server asked for this page, and now knows that it is open.</p>
<form method="post"><button>Complete</button></form>`,
);

const completedPage = renderPage(
  'Completed',
  html`<h1>Completed</h1>
<p>You can close this page, and return to your client.</p>`,
);

export const askedPageEndpoints = [
  endpoint('GET', `${askedPagePath}/:id`, {
    ...common,
    async handle(request, reply) {
      // HEAD opens nothing.
      if (request.method === 'GET') await note(request, 'opened');
      else await pageOf(request);
      return openPage.send(noStore(reply));
    },
  }),
  endpoint('POST', `${askedPagePath}/:id`, {
    ...common,
    async handle(request, reply) {
      await note(request, 'completed');
      return completedPage.send(noStore(reply));
    },
  }),
];

const noStore = (reply: Reply) => reply.header('cache-control', 'no-store');

/** Throws 404 for an unknown page. */
async function pageOf({ sandbox, params }: Request) {
  const { id } = params as { id: string };
  const page = await findPage(sandbox, id);
  if (page !== undefined) return { id, ...page };
  throw new HttpError(404, 'Unknown or old elicitation. Call ask_user_by_url again.');
}

async function note(request: Request, step: PageStep): Promise<void> {
  const { id, isAccepted } = await pageOf(request);
  const { sandbox } = request;
  const early = isAccepted ? '' : ', before the user agreed';
  await noteElicitation(sandbox, id, `the page was ${step}${early}`, request.id);
  await notePage(sandbox, id, step);
}

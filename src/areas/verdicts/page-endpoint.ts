/** The judges with their rules: a page for browsers, which follows the sandbox, and a list for programs. */

import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { pageResponseHeaders, pathToRoot, sendFilledPage } from '#kit/pages/send-page.js';
import type { Judge } from '#kit/verdict/judge.js';
import { levelSchema } from '#kit/verdict/verdict.js';
import { renderJudges } from './render-judges.js';

export const pagePath = '/verdicts';

const text = Type.String();

const listSchema = Type.Array(
  Type.Object(
    {
      name: text,
      title: text,
      says: text,
      guide: text,
      log: Type.Optional(Type.String({ description: 'Path of a list of the evidence.' })),
      plan: Type.Optional(Type.String({ description: 'Path of its test plan.' })),
      rules: Type.Array(Type.Object({ rule: text, level: levelSchema, section: text, hint: text })),
    },
    { title: 'Judge' },
  ),
);

const describe = (baseUrl: string, judges: readonly Judge[]) =>
  judges.map(({ name, title, says, guide, log, plan, rules }) => ({
    ...{ name, title, says, guide: `${baseUrl}/guides/${guide}` },
    ...(log !== undefined && { log }),
    ...(plan !== undefined && { plan: plan.path }),
    rules,
  }));

export const describeJudges = (judges: readonly Judge[]) =>
  endpoint('GET', pagePath, {
    summary: 'List the judges with their rules, or get the page',
    headers: unvalidated(ifNoneMatch),
    responses: {
      200: {
        description: 'The list, or the page for browsers.',
        content: {
          'application/json': { schema: listSchema },
          'text/html': { schema: text },
        },
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
      if (!prefersPage(request.headers.accept)) return describe(request.baseUrl, judges);
      return sendFilledPage(request, reply, 'verdicts', () => ({
        '<!-- judges -->': renderJudges(judges, pathToRoot(request.url)).text,
      }));
    },
  });

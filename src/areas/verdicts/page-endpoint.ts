/** The judges with their rules: a page for browsers, which follows the sandbox, and a list for programs. */

import { Type } from 'typebox';
import { listOrPage } from '#kit/pages/list-or-page.js';
import { pathToRoot, sendFilledPage } from '#kit/pages/send-page.js';
import type { Judge } from '#kit/verdict/judge.js';
import { levelSchema } from '#kit/verdict/verdict.js';
import { pagePath } from './paths.js';
import { renderJudges } from './render-judges.js';

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
  listOrPage(pagePath, {
    summary: 'List the judges with their rules, or get the page',
    list: listSchema,
    read: (baseUrl) => describe(baseUrl, judges),
    sendPage: (request, reply) =>
      sendFilledPage(request, reply, 'verdicts', () => ({
        '<!-- judges -->': renderJudges(judges, pathToRoot(request.url)).text,
      })),
  });

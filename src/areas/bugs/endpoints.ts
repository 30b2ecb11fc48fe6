/** Endpoints of the bugs of a sandbox: switch on, report, count and give up. */

import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import { FairQueue } from '../../base/shares/fair-queue.js';
import { type Defect, defectLevels } from '../../defects/defect.js';
import {
  beginHunt,
  changeHunt,
  defectsIn,
  digestOf,
  type Hunt,
  maxBugs,
  maxHuntSeed,
  readHunt,
} from '../../defects/hunts-in-state.js';
import { ownerOf } from '../../http/address/owner.js';
import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { failures } from '../../http/schemas/error-schema.js';
import { endpoint } from '../../kit/endpoint.js';
import { ownSandbox } from '../../kit/sandbox/own-sandbox.js';
import type { Sandboxes } from '../../kit/services.js';
import { sharedSandboxName } from '../../state/state.js';
import { type Judgement, judgeReport, verdicts } from './judge/judge-report.js';

export const path = '/api/sandbox/bugs';

const levels = [...defectLevels, 'none'] as const;

const bugMembers = {
  id: Type.String(),
  level: Type.String({ enum: [...defectLevels] }),
  area: Type.String(),
  wrong: Type.String({ description: 'The wrong behaviour.' }),
  right: Type.String({ description: 'The documented behaviour.' }),
  endpoints: Type.Array(Type.String(), { description: 'The endpoints that it changes.' }),
};

const bugSchema = Type.Object(bugMembers, { title: 'Bug' });

const huntSchema = Type.Object(
  {
    level: Type.Unsafe<Hunt['level'] | null>({ enum: [...levels, null] }),
    seed: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    count: Type.Integer({ description: 'Bugs that are switched on.' }),
    left: Type.Integer({ description: 'Bugs that are not found yet.' }),
    reports: Type.Integer({ description: 'Reports that were judged.' }),
    found: Type.Array(bugSchema),
  },
  { title: 'BugHunt' },
);

const sandboxOf = (request: Request) => ownSandbox(request, 'Bugs need');

const named = 'Requires a named sandbox.';

export const readBugs = endpoint('GET', path, {
  summary: 'Get how many bugs are left',
  description: 'Names only the bugs that were found. The shared sandbox has no bugs.',
  responses: { 200: huntSchema },
  async handle({ sandbox }) {
    return describeHunt(sandbox.name === sharedSandboxName ? undefined : await readHunt(sandbox));
  },
});

export const switchOnBugs = endpoint('PUT', path, {
  summary: 'Set the bugs of the sandbox',
  description: `Replaces the earlier bugs. The same seed chooses the same bugs. The level senior also has the bugs of junior; none has no bugs. If a level has fewer, all are switched on. ${named}`,
  before: (request) => void sandboxOf(request),
  body: Type.Object(
    {
      level: Type.String({ enum: [...levels] }),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: maxBugs, default: 5 })),
      seed: Type.Optional(
        Type.Integer({ minimum: 0, maximum: maxHuntSeed, description: 'Default: random.' }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: huntSchema, ...failures(403) },
  async handle(request) {
    const { level, count = 5, seed = randomInt(maxHuntSeed) } = request.body;
    const hunt = beginHunt(level as Hunt['level'], count, seed);
    await changeHunt(sandboxOf(request), () => ({ value: hunt, result: undefined }));
    return describeHunt(hunt);
  },
});

export const giveUp = endpoint('DELETE', path, {
  summary: 'End the search, and name all bugs',
  description: `Names each bug with the endpoints that it changed. ${named}`,
  responses: {
    200: Type.Object({
      bugs: Type.Array(Type.Object({ ...bugMembers, found: Type.Boolean() })),
    }),
    ...failures(403),
  },
  async handle(request) {
    const hunt = await changeHunt(sandboxOf(request), (before) => ({
      value: undefined,
      result: before,
    }));
    const bugs = defectsIn(hunt?.bugs ?? []);
    return {
      bugs: bugs.map((bug) => ({ ...describeBug(bug), found: hunt?.found.includes(bug.id) })),
    };
  },
});

/** Enough for a batch in the body of the reported request. */
const maxReportValues = 5_000;

const maxWaitingReports = 100;

const tooManyReports = () =>
  new HttpError(503, 'Too many reports are waiting to be judged. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });

const said = (what: string) =>
  Type.Unknown({
    description: `The ${what} response: text, a status, or an object with status, headers and body. Text is not compared.`,
  });

export function reportBug(sandboxes: Sandboxes) {
  const queue = new FairQueue(maxWaitingReports, tooManyReports);
  return endpoint('POST', `${path}/reports`, {
    summary: 'Report a bug',
    description: `Replays the request with and without the bugs, on copies of the sandbox. The verdict is "cannot tell" for streams, delays and background jobs, and if the replay contradicts the report. ${named}`,
    before: (request) => void sandboxOf(request),
    maxJsonValues: maxReportValues,
    body: Type.Object(
      {
        method: Type.String({ pattern: '^[A-Za-z]{1,20}$', description: '1 to 20 letters.' }),
        path: Type.String({ minLength: 1, maxLength: 4000, description: 'With the query.' }),
        headers: Type.Optional(
          Type.Unsafe<Record<string, string>>({
            type: 'object',
            maxProperties: 50,
            additionalProperties: { type: 'string', maxLength: 8000 },
          }),
        ),
        body: Type.Optional(Type.Unknown({ description: 'Text, or any JSON.' })),
        expected: said('documented'),
        actual: said('actual'),
      },
      { additionalProperties: false },
    ),
    responses: {
      200: Type.Object(
        {
          verdict: Type.String({ enum: [...verdicts] }),
          reason: Type.String(),
          left: Type.Integer({ description: 'Bugs that are not found yet.' }),
          bug: Type.Optional(bugSchema),
        },
        { title: 'BugVerdict' },
      ),
      ...failures(403, 409),
    },
    async handle(request, reply) {
      const sandbox = sandboxOf(request);
      const hunt = await readHunt(sandbox);
      if (hunt === undefined) {
        throw new HttpError(409, `No bugs are switched on. Switch them on with PUT ${path}.`);
      }
      const { body: report } = request;
      const digest = digestOf(report);
      const judged = await queue.run(ownerOf(request), async () =>
        reply.isDone ? clientLeft : judgeReport(sandboxes, request, hunt, report),
      );
      const [judgement, after] = await record(request, digest, judged);
      const { verdict, reason, bug } = judgement;
      return { verdict, reason, left: leftIn(after), ...(bug && { bug: describeBug(bug) }) };
    },
  });
}

const clientLeft: Judgement = { verdict: 'cannot tell', reason: 'The client has left.' };

/** Counts a report. The same report never finds two bugs. */
type Recorded = readonly [judgement: Judgement, hunt: Hunt | undefined];

function record(request: Request, digest: string, judged: Judgement) {
  return changeHunt<Recorded>(request.sandbox, (hunt) => {
    if (hunt === undefined) return { value: undefined, result: [judged, hunt] };
    const known = hunt.digests[digest];
    const counted = { ...hunt, reports: hunt.reports + 1 };
    const { verdict, bug } = judged;
    if (verdict !== 'found' || bug === undefined || !hunt.bugs.includes(bug.id)) {
      return { value: counted, result: [judged, counted] };
    }
    if (known !== undefined || hunt.found.includes(bug.id)) {
      const [before = bug] = defectsIn(known === undefined ? [] : [known]);
      const repeated: Judgement = {
        verdict: 'already found',
        reason: 'You have already found this bug.',
        bug: before,
      };
      return { value: counted, result: [repeated, counted] };
    }
    const value = {
      ...counted,
      found: [...hunt.found, bug.id],
      digests: { ...hunt.digests, [digest]: bug.id },
    };
    return { value, result: [judged, value] };
  });
}

const leftIn = (hunt: Hunt | undefined) =>
  hunt === undefined ? 0 : hunt.bugs.length - hunt.found.length;

function describeHunt(hunt: Hunt | undefined) {
  return {
    level: hunt?.level ?? null,
    seed: hunt?.seed ?? null,
    count: hunt?.bugs.length ?? 0,
    left: leftIn(hunt),
    reports: hunt?.reports ?? 0,
    found: defectsIn(hunt?.found ?? []).map(describeBug),
  };
}

function describeBug({ id, level, area, wrong, right, endpoints }: Defect) {
  return { id, level, area, wrong, right, endpoints: [...endpoints] };
}

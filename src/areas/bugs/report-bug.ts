/** The endpoint that judges reports of bugs. */

import { Type } from 'typebox';
import { FairQueue } from '#base/shares/fair-queue.js';
import { changeHunt, defectsIn, digestOf, pointsOf, readHunt } from '#defects/hunts-in-state.js';
import { ownerOf } from '#http/address/owner.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { type Examples, inSandbox } from '#kit/example.js';
import type { Hunt } from '#kit/sandbox/hunts-space.js';
import type { Sandboxes } from '#kit/services.js';
import type { Sandbox } from '#state/state.js';
import { bugSchema, describeBug, leftIn, named, sandboxOf } from './bug-schemas.js';
import { alreadyFound, type Judgement, verdicts } from './judge/decide.js';
import { judgeReport } from './judge/judge-report.js';
import { readStatements } from './judge/statement.js';
import { path } from './path.js';
import { recordReport } from './report-judge.js';

/** Enough for a batch in the body of the reported request. */
const maxReportValues = 5_000;

const maxWaitingReports = 100;

const tooManyReports = () =>
  new HttpError(503, 'Too many reports are waiting to be judged. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });

const said = (what: string) =>
  Type.Unknown({
    description: `The ${what} response: a status, text with a value of the response, or an object with status, headers and body.`,
  });

const seen = { method: 'GET', path: '/api/Companies/999', expected: 404, actual: 200 };

const examples: Examples = {
  'A bug': { ...inSandbox('my-bugs'), json: seen },
  'Right behaviour': { ...inSandbox('my-bugs'), json: { ...seen, path: '/api/Companies/1' } },
  'Without bugs': { ...inSandbox(), json: seen },
  'Not a path': { ...inSandbox('my-bugs'), json: { ...seen, path: 'Companies' } },
  'Words without a value': { ...inSandbox('my-bugs'), json: { ...seen, expected: '', actual: '' } },
};

const bugReport = Type.Object(
  {
    method: Type.String({ pattern: '^[A-Za-z]{1,20}$', description: '1 to 20 letters.' }),
    path: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'With the query; a whole URL of this service, too.',
    }),
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
);

export function reportBug(sandboxes: Sandboxes) {
  const queue = new FairQueue(maxWaitingReports, tooManyReports);
  return endpoint('POST', `${path}/reports`, {
    summary: 'Report a bug',
    description: `Replays the request with and without the bugs, on copies of the sandbox. expected and actual must name a status, a header or a member of the body, with the documented value and the value of the replay. The verdict is "cannot tell" for streams, delays and background jobs, if the replay contradicts the report, and if an earlier request may be the cause. "not a bug" counts as a wrong report, which costs a point. ${named}`,
    before: (request) => void sandboxOf(request),
    maxJsonValues: maxReportValues,
    body: bugReport,
    responses: {
      200: Type.Object(
        {
          verdict: Type.String({ enum: [...verdicts] }),
          reason: Type.String(),
          left: Type.Integer({ description: 'Bugs that are not found yet.' }),
          wrongReports: Type.Integer({ description: 'Reports that were not about a bug.' }),
          points: Type.Integer({ description: 'Points of the hunt, without the wrong reports.' }),
          bug: Type.Optional(bugSchema),
        },
        { title: 'BugVerdict' },
      ),
      ...failures(403, 409),
    },
    examples,
    async handle(request, reply) {
      const sandbox = sandboxOf(request);
      const statements = readStatements(request.body);
      const hunt = await readHunt(sandbox);
      if (hunt === undefined) {
        throw new HttpError(409, `No bugs are switched on. Switch them on with PUT ${path}.`);
      }
      const judged = await queue.run(ownerOf(request), async () =>
        reply.isDone ? clientLeft : judgeReport(sandboxes, request, hunt, request.body, statements),
      );
      const [{ verdict, reason, bug }, after = hunt] = isFrozen(request)
        ? [judged]
        : await record(sandbox, digestOf(request.body), judged);
      if (!isFrozen(request)) await recordReport({ verdict, reason }, sandbox, request.id);
      return {
        ...{ verdict, reason, left: leftIn(after) },
        ...{ wrongReports: after.wrongReports, points: pointsOf(after) },
        ...(bug && { bug: describeBug(bug) }),
      };
    },
  });
}

const clientLeft: Judgement = { verdict: 'cannot tell', reason: 'The client has left.' };

/** While a class is frozen, nothing counts. */
const isFrozen = ({ raw }: Request) => raw.sandboxAddress?.pupil?.isFrozen === true;

type Recorded = readonly [judgement: Judgement, hunt: Hunt | undefined];

/** Counts a report. The same report never finds two bugs. */
function record(sandbox: Sandbox, digest: string, judged: Judgement) {
  return changeHunt<Recorded>(sandbox, (hunt) => {
    if (hunt === undefined) return { value: undefined, result: [judged, hunt] };
    const { verdict, bug } = judged;
    const isWrong = verdict === 'not a bug';
    const counted: Hunt = {
      ...hunt,
      reports: hunt.reports + 1,
      wrongReports: hunt.wrongReports + (isWrong ? 1 : 0),
    };
    if (verdict !== 'found' || bug === undefined || !hunt.bugs.includes(bug.id)) {
      return { value: counted, result: [judged, counted] };
    }
    const known = hunt.digests[digest];
    if (known !== undefined || hunt.found.includes(bug.id)) {
      const [before = bug] = defectsIn(known === undefined ? [] : [known]);
      return { value: counted, result: [alreadyFound(before), counted] };
    }
    const value = {
      ...counted,
      found: [...hunt.found, bug.id],
      digests: { ...hunt.digests, [digest]: bug.id },
    };
    return { value, result: [judged, value] };
  });
}

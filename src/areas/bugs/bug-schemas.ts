/** Schemas of bugs and hunts, and how they are shown. */

import { Type } from 'typebox';
import { type Defect, defectKinds, defectLevels } from '#defects/defect.js';
import { defectsIn, pointsOf } from '#defects/hunts-in-state.js';
import type { Request } from '#http/exchange.js';
import type { Hunt, HuntLevel } from '#kit/sandbox/hunts-space.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';

export const levels = [...defectLevels, 'none'] as const;

export const bugMembers = {
  id: Type.String(),
  level: Type.String({ enum: [...defectLevels] }),
  kind: Type.String({ enum: [...defectKinds] }),
  area: Type.String(),
  wrong: Type.String({ description: 'The wrong behaviour.' }),
  right: Type.String({ description: 'The documented behaviour.' }),
  endpoints: Type.Array(Type.String(), { description: 'The endpoints that it changes.' }),
};

export const bugSchema = Type.Object(bugMembers, { title: 'Bug' });

export const pointsMembers = {
  wrongReports: Type.Integer({
    description: 'Reports that were not about a bug. Each costs a point.',
  }),
  points: Type.Integer({
    description: '1 for a bug of the level junior, 2 of middle, 3 of senior; never negative.',
  }),
};

export const huntSchema = Type.Object(
  {
    level: Type.Unsafe<HuntLevel | null>({ enum: [...levels, null] }),
    seed: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Only if the request sent it.',
    }),
    count: Type.Integer({ description: 'Bugs that are switched on.' }),
    left: Type.Integer({ description: 'Bugs that are not found yet.' }),
    reports: Type.Integer({ description: 'Reports that were judged.' }),
    ...pointsMembers,
    ofClass: Type.Boolean({ description: 'Whether the teacher of the class started it.' }),
    found: Type.Array(bugSchema),
  },
  { title: 'BugHunt' },
);

export const sandboxOf = (request: Request) => ownSandbox(request, 'Bugs need');

export const named = 'Requires a named sandbox.';

export const leftIn = ({ bugs, found }: Hunt) => bugs.length - found.length;

export function describeHunt(hunt: Hunt | undefined) {
  return {
    level: hunt?.level ?? null,
    seed: hunt?.seed ?? null,
    count: hunt?.bugs.length ?? 0,
    left: hunt === undefined ? 0 : leftIn(hunt),
    reports: hunt?.reports ?? 0,
    wrongReports: hunt?.wrongReports ?? 0,
    points: hunt === undefined ? 0 : pointsOf(hunt),
    ofClass: hunt?.isOfClass ?? false,
    found: defectsIn(hunt?.found ?? []).map(describeBug),
  };
}

export function describeBug({ id, level, kind, area, wrong, right, endpoints }: Defect) {
  return { id, level, kind, area, wrong, right, endpoints: [...endpoints] };
}

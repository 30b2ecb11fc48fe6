/** All cases, in the order of the plan. */

import type { Case, Cases } from './case.js';
import { connectionCases } from './connection-cases.js';
import { hpackCases } from './hpack-cases.js';
import { messageCases } from './message-cases.js';
import { streamCases } from './stream-cases.js';
import { unusualCases } from './unusual-cases.js';

export const caseGroups: Readonly<Record<string, Cases>> = {
  Connection: connectionCases,
  Streams: streamCases,
  Messages: messageCases,
  HPACK: hpackCases,
  Unusual: unusualCases,
};

export const cases: Cases = Object.assign({}, ...Object.values(caseGroups));

export const caseNames = Object.keys(cases);

export const caseOf = (name: string): Case | undefined =>
  Object.hasOwn(cases, name) ? cases[name] : undefined;

/** The misbehaviours of the server, in the order of the test plan. */

import type { Case } from './case.js';
import { contentCases } from './cases/content-cases.js';
import { failureCases } from './cases/failure-cases.js';
import { loginCases } from './cases/login-cases.js';
import { responseCases } from './cases/response-cases.js';
import { streamCases } from './cases/stream-cases.js';
import { toolListCases } from './cases/tool-list-cases.js';

const table = {
  ...responseCases,
  ...toolListCases,
  ...streamCases,
  ...contentCases,
  ...failureCases,
  ...loginCases,
};

export type MisbehaviourName = keyof typeof table;

export const misbehaviourNames = Object.keys(table) as MisbehaviourName[];

export const caseOf = (name: MisbehaviourName): Case => table[name];

export function isMisbehaviour(name: unknown): name is MisbehaviourName {
  return typeof name === 'string' && Object.hasOwn(table, name);
}

export type LoginName = keyof typeof loginCases;

export function isOfLogin(name: MisbehaviourName): name is LoginName {
  return Object.hasOwn(loginCases, name);
}

export function isOneOf(
  names: readonly MisbehaviourName[],
  name: string,
): name is MisbehaviourName {
  return (names as readonly string[]).includes(name);
}

/** Misbehaviours of the login need a run, or the settings. */
export const queryNames = misbehaviourNames.filter((name) => !isOfLogin(name));

/** Returns the possible misbehaviours: misbehaviours of the login need an issuer. */
export function namesWith(issuer: object | undefined): readonly MisbehaviourName[] {
  return issuer === undefined ? queryNames : misbehaviourNames;
}

/** The misbehaviours of an issuer and the tolerance cases, and how they take effect. */

import type { Misbehaviour } from '../model/grants.js';
import type { CaseFacts, Changeable, Changes, Effects, IssuerCase } from './case.js';
import { idTokenCases } from './id-token-cases.js';
import { responseCases } from './response-cases.js';
import { tokenEndpointCases } from './token-endpoint-cases.js';
import { tolerances } from './tolerances.js';

const table = { ...idTokenCases, ...responseCases, ...tokenEndpointCases, ...tolerances };

export type MisbehaviourName = keyof typeof table;

export const misbehaviours: Readonly<Record<MisbehaviourName, IssuerCase>> = table;

export const misbehaviourNames = Object.keys(misbehaviours) as readonly MisbehaviourName[];

export function isMisbehaviour(name: string): name is MisbehaviourName {
  return Object.hasOwn(misbehaviours, name);
}

/** Returns nothing for a stored name of another version. */
export function caseOf(misbehaviour: Misbehaviour | undefined): Partial<CaseFacts & Effects> {
  const { name = '' } = misbehaviour ?? {};
  return isMisbehaviour(name) ? misbehaviours[name] : {};
}

/** Whether it can change the responses to an authorization request with these parameters. */
export function appliesTo(
  misbehaviour: Misbehaviour | undefined,
  parameters: { readonly nonce?: string | undefined; readonly state?: string | undefined },
): boolean {
  const { needs } = caseOf(misbehaviour);
  return needs === undefined || parameters[needs] !== undefined;
}

/** Returns the value as the misbehaviour changes it. */
export async function changed<Name extends keyof Changeable>(
  misbehaviour: Misbehaviour | undefined,
  name: Name,
  value: Changeable[Name],
): Promise<Changeable[Name]> {
  const changes: Partial<Changes> = caseOf(misbehaviour);
  const change: Changes[Name] | undefined = changes[name];
  return change === undefined ? value : change(value);
}

/** Judges what a client did in a step of a run, at the server or in the login at the issuer. */

import type { IssuerSteering } from '#kit/offers/issuer.js';
import type { Sandbox } from '#state/state.js';
import { caseOf, isOfLogin, type MisbehaviourName } from '../misbehaviour/misbehaviours.js';
import { observedIn, outcomeOf, type Run, type Step } from '../misbehaviour/runs.js';
import { rightStep } from './metadata-endpoint.js';

export interface JudgedStep {
  readonly outcome: ReturnType<typeof outcomeOf>;
  readonly observed?: JudgedStep['outcome'];
  readonly reported?: Step['reported'];
  /** Why, in words. */
  readonly evidence: string;
  /** Whether no right client causes the outcome, or the test has reported it. */
  readonly isCertain: boolean;
}

export const notReached = 'The client did not get so far.';

export async function judgeStep(
  login: IssuerSteering | undefined,
  sandbox: Sandbox,
  run: Run,
  name: MisbehaviourName,
): Promise<JudgedStep> {
  const step: Step = run.steps[name] ?? {};
  const { acceptedBy, issuer = rightStep, resource } = caseOf(name);
  const isDecided = acceptedBy.isCertain === true;
  if (login !== undefined && isOfLogin(name) && run.issuerRun !== undefined) {
    const seen = await login.outcomeOf(sandbox, run.issuerRun, issuer);
    const isAccepted = seen === 'accepted' || (resource !== undefined && seen !== 'not-reached');
    if (isAccepted) {
      return { outcome: 'accepted', evidence: acceptedBy.counts, isCertain: isDecided };
    }
  }
  const outcome = outcomeOf(step, acceptedBy);
  const observed = observedIn(step, acceptedBy);
  const { reported } = step;
  const evidence = evidenceOf(step, { outcome, observed, how: acceptedBy.counts });
  const isCertain = isDecided || reported === outcome;
  return { outcome, observed, ...(reported && { reported }), evidence, isCertain };
}

function evidenceOf(
  { acceptedBy, reported }: Step,
  { outcome, observed, how }: Readonly<Record<'outcome' | 'observed' | 'how', string>>,
): string {
  if (observed === 'not-reached') return notReached;
  if (reported !== undefined && outcome === reported && observed !== reported) {
    return 'The client reported it.';
  }
  if (acceptedBy !== undefined) return `Request ${acceptedBy}: ${how}.`;
  if (observed === 'unclear') return `Only the report of the client decides: ${how}.`;
  return reported === undefined ? 'The client did not accept it.' : 'The client reported it.';
}

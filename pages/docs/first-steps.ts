/**
 * Operations that need something from another request first. Their fields for it are empty, and a
 * sentence says where the value is from.
 */

import type { ListedOperation } from './description.js';

interface FirstStep {
  /** Matches the method and the path. */
  readonly of: RegExp;
  /** The parameters to enter. */
  readonly parameters: readonly string[];
  readonly sentence: string;
}

const step = (of: RegExp, parameters: readonly string[], sentence: string): FirstStep => ({
  of,
  parameters,
  sentence,
});

const steps: readonly FirstStep[] = [
  step(
    /\/api\/webhooks\/bins\/\{id\}/,
    ['id'],
    'Enter the id of a bin: `POST /api/webhooks/bins` creates one.',
  ),
  step(
    /\/api\/webhooks\/\{binId\}/,
    ['binId'],
    'Enter the id of a bin: `POST /api/webhooks/bins` creates one.',
  ),
  step(
    /\/api\/http\/uploads\/tus\/\{id\}/,
    ['id'],
    'Enter the id in the `Location` of `POST /api/http/uploads/tus`.',
  ),
  step(
    /\/api\/http\/uploads\/(?:content\/)?\{id\}/,
    ['id'],
    'Enter the id that `POST /api/http/uploads` returns.',
  ),
  step(/\/api\/Jobs\/\{id\}/, ['id'], 'Enter the id that `POST /api/Jobs` returns.'),
  step(
    /\/oidc\/register\/\{clientId\}/,
    ['clientId'],
    'Enter the `client_id` that `POST /oidc/register` returns, and its token as credentials.',
  ),
  step(
    /\/oidc\/test-plan\/runs\/\{run\}/,
    ['run'],
    'Enter the id in the `Location` of `POST /oidc/test-plan/runs`.',
  ),
  step(
    /\/my\/\{collection\}/,
    ['collection'],
    'Enter a collection that `PUT /api/sandbox/data` has created.',
  ),
  step(
    /\/json-server\/\{resource\}/,
    ['resource'],
    'Enter a resource that `PUT /api/sandbox/data` has created.',
  ),
];

/** Returns the sentence, and the parameters that must be entered; `undefined` without a step. */
export function firstStepOf({ method, path }: ListedOperation): FirstStep | undefined {
  const target = `${method.toUpperCase()} ${path}`;
  return steps.find(({ of }) => of.test(target));
}

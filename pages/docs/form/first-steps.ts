/**
 * Operations that need something from another request first. Their fields for it are empty, and a
 * sentence says where the value is from.
 */

import type { ListedOperation } from '../description.js';

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

const bin = 'Enter the id of a bin: `POST /api/webhooks/bins` creates one.';

const steps: readonly FirstStep[] = [
  // Ids from other responses.
  step(/\/api\/webhooks\/bins\/\{id\}/, ['id'], bin),
  step(/\/api\/webhooks\/\{binId\}/, ['binId'], bin),
  step(
    /\/api\/webhooks\/subscriptions\/\{id\}/,
    ['id', 'delivery'],
    'Enter the id of a subscription: `POST /api/webhooks/subscriptions` creates one in a sandbox.',
  ),
  step(
    /\/api\/webhooks\/receiver-plan\/runs/,
    ['run'],
    'Create a subscription first, with `POST /api/webhooks/subscriptions`.',
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
  step(
    /\/api\/http\/resumable\/\{id\}/,
    ['id'],
    'Enter the id in the `Location` of `POST /api/http/resumable`.',
  ),
  step(
    /\/api\/http\/cache\/\{name\}\/reuses/,
    [],
    'Enter the requestId of a hit: `GET /api/http/cache/{name}/hits` lists them.',
  ),
  step(
    /\/api\/http\/cookies\/jar\/\{id\}/,
    ['id'],
    'Enter the id that `POST /api/http/cookies/jar` returns.',
  ),
  step(/\/api\/jobs\/\{id\}/i, ['id'], 'Enter the id of a job: `POST /api/jobs` creates one.'),
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
    /\/mcp\/test-plan\/runs\/\{run\}/,
    ['run'],
    'Enter the id in the `Location` of `POST /mcp/test-plan/runs`.',
  ),
  step(/^(?:GET|DELETE) \/mcp$/, [], 'Use a client of the protocol: the guide shows how.'),
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
  step(
    /^(?:POST|DELETE) \/api\/http\/responses\/\{name\}/,
    ['name'],
    'Enter the name of a response: `PUT` creates one.',
  ),
  step(
    /^(?:PUT|PATCH|DELETE) \/api\/Companies\/\{id\}/,
    ['If-Match'],
    'Enter the `ETag` of the record in If-Match.',
  ),
  // Tokens from other responses.
  step(
    /^POST \/api\/auth\/jwt\/(?:refresh|logout)/,
    [],
    'Enter the refreshToken that `POST /api/auth/jwt/login` returns.',
  ),
  step(
    /\/oidc\/(?:userinfo|api\/)/,
    [],
    'Enter an access token as credentials: `POST /oidc/token` returns one for a login.',
  ),
  step(
    /\/api\/accounts\/me/,
    [],
    'Enter the key as credentials: `POST /api/accounts` creates an account with a key.',
  ),
  step(
    /\/api\/auth\/session\/(?:me|logout-everywhere)/,
    [],
    'Log in first, with `POST /api/auth/session/login`. Your browser keeps the cookie.',
  ),
  step(
    /\/api\/auth\/session\/(?:totp|recovery)/,
    [],
    'Log in as a user with a second factor first, and enter the current code.',
  ),
  step(
    /\/api\/auth\/csrf\/submit/,
    ['XSRF-TOKEN', 'X-CSRF-Token'],
    'Enter the token that `GET /api/auth/csrf/token` returns.',
  ),
  step(
    /\/api\/auth\/basic(?:\/\{user\}|-hidden\/\{a\})$/,
    [],
    'Enter the user of the path as credentials, with an empty password.',
  ),
  // Signatures, which a client computes.
  step(/\/api\/auth\/hmac/, ['X-Timestamp', 'X-Signature'], 'Enter the time and its signature.'),
  step(
    /\/api\/auth\/(?:sigv4|signature$)/,
    ['X-Amz-Date', 'Signature-Input', 'Signature'],
    'A client computes the signature: the guide shows how.',
  ),
  step(
    /\/api\/auth\/passkeys\/\w+\/options/,
    [],
    'Passkeys need a host name: open this page by `localhost` or a domain, not by an IP address.',
  ),
  step(
    /^POST .*\/soap\/secure/i,
    [],
    'A client computes the security header, whose times expire: the guide shows how.',
  ),
  step(
    /\/api\/auth\/passkeys\/\w+\/verify/,
    [],
    'A browser signs the challenge: the page `/api/auth/passkeys` does it.',
  ),
  step(
    /\/api\/classes\/\{id\}/,
    ['id', 'pupil', 'X-Teacher-Key'],
    'Enter the id and the teacherKey that `POST /api/classes` returns.',
  ),
  step(
    /\/api\/classes\/\{code\}\/rejoin/,
    ['code'],
    'Enter the joinCode that `POST /api/classes` returns, and the code of `POST /api/classes/join`.',
  ),
  step(/\/api\/classes\/join/, [], 'Enter the joinCode that `POST /api/classes` returns.'),
  step(
    /\/api\/classes\/(?:me|ranking)/,
    [],
    'Send it below the address that `POST /api/classes/join` returns.',
  ),
  // Earlier requests.
  step(/\/restore$/, [], 'Delete the record first.'),
  step(/^POST \/api\/sandbox\/bugs\/reports/, [], 'Switch bugs on first, with `PUT`.'),
  step(/\/api\/http\/expect\/last/, [], 'Send a request to `/api/http/expect/continue` first.'),
  step(
    /^DELETE .*\/graphql$/,
    ['operationId'],
    'Enter the token of an event stream, and the id of an operation on it.',
  ),
  // Requests that no page can send.
  step(/^TRACE /, [], 'Browsers do not send TRACE. Use curl.'),
  step(/\/api\/ws\/(?!tickets)/, [], 'Connect with ws://; the page `/realtime` does it.'),
  step(
    /\/api\/(?:auth\/mtls|http\/redirect\/other-port)|^GET \/tls\/(?:client\/)?\{file\}/,
    [],
    'Start the service with `--tls-port 8443`, and send this to its HTTPS port.',
  ),
];

/** Returns the sentence, and the parameters that must be entered; `undefined` without a step. */
export function firstStepOf({ method, path }: ListedOperation): FirstStep | undefined {
  const target = `${method.toUpperCase()} ${path}`;
  return steps.find(({ of }) => of.test(target));
}

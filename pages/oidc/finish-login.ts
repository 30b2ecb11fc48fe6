/** The steps after the redirect: each check must pass, as in a correct client. */

import { base64url, decodeJwt, type Jwt, type Key, verifySignature } from './jwt.js';
import { clientId, hashOf, type Login } from './login.js';
import {
  addToStep,
  type Check,
  checkList,
  clearStep,
  code,
  endStep,
  json,
  pairs,
  type StepName,
  sendInStep,
  titled,
} from './step-view.js';

const meanings: Readonly<Record<string, string>> = {
  code: 'Valid once, for a minute',
  state: 'The value of the request',
  iss: 'The issuer that responded (RFC 9207)',
  error: 'Why there is no code',
  error_description: 'For developers',
};

export interface LoggedIn {
  readonly idToken: string;
  readonly sub: string;
}

/** Shows checks. Throws if one failed, because a correct client stops there. */
function demand(name: StepName, checks: readonly Check[]): void {
  addToStep(name, titled('Checks', checkList(checks)));
  const failed = checks.find(({ isPassed }) => !isPassed);
  if (failed === undefined) return;
  throw new Error(`A correct client stops here: ${failed.text}.`);
}

/** Runs a step. Its failure is marked. */
async function run<Result>(name: StepName, act: () => Promise<Result> | Result): Promise<Result> {
  clearStep(name);
  try {
    const result = await act();
    endStep(name);
    return result;
  } catch (error) {
    endStep(name, false);
    throw error;
  }
}

export async function finishLogin(login: Login, response: URLSearchParams): Promise<LoggedIn> {
  const received = await run('redirect', () => readRedirect(login, response));
  const tokens = await run('token', () => redeem(login, received));
  const idToken = String(tokens.id_token);
  const sub = await run('tokens', () => checkIdToken(login, idToken, String(tokens.access_token)));
  await run('userinfo', () => readUser(login, String(tokens.access_token), sub));
  return { idToken, sub };
}

function readRedirect({ state, provider, redirectUri }: Login, response: URLSearchParams): string {
  const rows = [...response].map(([name, value]) => [name, value, meanings[name]] as const);
  const location = `${redirectUri}?${response.toString().replaceAll('&', '\n  &')}`;
  addToStep(
    'redirect',
    titled('Response of the issuer', code(`HTTP/1.1 303 See Other\nLocation: ${location}`)),
    pairs(rows.map(([name, value, meaning = 'An extension']) => [name, value, meaning])),
  );
  demand('redirect', [
    { isPassed: response.get('state') === state, text: 'state is the value of the request' },
    { isPassed: response.get('iss') === provider.issuer, text: 'iss is the issuer' },
  ]);
  const received = response.get('code');
  if (received !== null) return received;
  const { error, error_description: why } = Object.fromEntries(response);
  throw new Error(`The issuer returned ${error}: ${why}`);
}

async function redeem(login: Login, received: string): Promise<Record<string, unknown>> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: received,
    redirect_uri: login.redirectUri,
    client_id: clientId,
    code_verifier: login.verifier,
  });
  const response = await sendInStep('token', login.provider.token_endpoint, {
    method: 'POST',
    form,
  });
  const tokens = JSON.parse(response.text) as Record<string, unknown>;
  demand('token', [
    { isPassed: response.status === 200, text: 'the status is 200' },
    {
      isPassed: String(tokens.token_type).toLowerCase() === 'bearer',
      text: 'token_type is Bearer',
    },
    { isPassed: typeof tokens.id_token === 'string', text: 'there is an ID token' },
  ]);
  return tokens;
}

/** Checks of OpenID Connect Core section 3.1.3.7. */
async function checkIdToken(login: Login, token: string, accessToken: string): Promise<string> {
  const jwt = decodeJwt(token);
  if (jwt === undefined) throw new Error('The ID token is not a JWT.');
  addToStep(
    'tokens',
    titled('Header', json(jwt.header)),
    titled('Claims', json(jwt.claims)),
    titled('Signature', code(token.slice(token.lastIndexOf('.') + 1))),
  );
  const { text } = await sendInStep('tokens', login.provider.jwks_uri);
  const { keys } = JSON.parse(text) as { readonly keys: readonly Key[] };
  const verified = await verifySignature(jwt, keys);
  demand('tokens', [
    {
      isPassed: verified?.isRight ?? true,
      text:
        verified === undefined
          ? 'signature: not checked, because this browser verifies only on https and localhost'
          : `signature: ${verified.why}`,
    },
    ...checkClaims(login, jwt, accessToken),
  ]);
  const opaque = decodeJwt(accessToken);
  addToStep(
    'tokens',
    titled('Access token', opaque === undefined ? code(accessToken) : json(opaque.claims)),
  );
  return String(jwt.claims.sub);
}

function checkClaims({ provider, nonce }: Login, { claims }: Jwt, accessToken: string): Check[] {
  const { iss, aud, azp = clientId, exp, iat, at_hash: hash } = claims;
  const audience = [aud].flat();
  const nowSeconds = Date.now() / 1000;
  const checks = [
    { isPassed: iss === provider.issuer, text: 'iss is the issuer' },
    {
      isPassed: audience.length === 1 && audience[0] === clientId && azp === clientId,
      text: `aud is ${clientId}`,
    },
    {
      isPassed: typeof exp === 'number' && exp > nowSeconds - 60,
      text: 'exp is in the future, by the clock of this browser',
    },
    {
      isPassed: typeof iat === 'number' && iat < nowSeconds + 60,
      text: 'iat is in the past, by the clock of this browser',
    },
    { isPassed: claims.nonce === nonce, text: 'nonce is the value of the request' },
    { isPassed: typeof claims.sub === 'string', text: 'sub names the user' },
  ];
  if (hash === undefined) return checks;
  const half = base64url(hashOf(accessToken).slice(0, 16));
  return [...checks, { isPassed: hash === half, text: 'at_hash is the hash of the access token' }];
}

async function readUser({ provider }: Login, accessToken: string, sub: string): Promise<void> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const { text } = await sendInStep('userinfo', provider.userinfo_endpoint, { headers });
  const claims = JSON.parse(text) as Record<string, unknown>;
  demand('userinfo', [
    { isPassed: claims.sub === sub, text: 'sub is the same as in the ID token' },
  ]);
}

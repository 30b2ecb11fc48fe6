/** Logs in at the issuer of a sandbox, for the protected address. */

import { redirectUri, responseIn, usualRequest, verifier } from '../support/oidc.js';
import type { RuleClient } from './rule-client.js';

interface LoginOptions {
  readonly scope?: string;
  /** Whether the authorization request has resource. */
  readonly inAuthorization?: boolean;
  /** Whether the token request has it. */
  readonly inTokenRequest?: boolean;
}

/** Returns an access token of the user ada. */
export async function logIn(client: RuleClient, options: LoginOptions = {}): Promise<string> {
  const { scope = 'mcp:read', inAuthorization = true, inTokenRequest = true } = options;
  const resource = { resource: `${client.url}${client.prefix}/mcp/protected` };
  const query = new URLSearchParams({
    ...usualRequest({ client_id: 'demo-spa', auto: 'ada', scope }),
    ...(inAuthorization && resource),
  });
  const code = responseIn(await client.send(`GET /oidc/authorize?${query}`)).get('code') ?? '';
  const { json } = await client.send('POST /oidc/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'demo-spa' },
      ...{ redirect_uri: redirectUri, code, code_verifier: verifier },
      ...(inTokenRequest && resource),
    }).toString(),
  });
  return json.access_token;
}

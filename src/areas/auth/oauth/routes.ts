/**
 * An authorization server with the client credentials grant (RFC 6749 section 4.4), introspection
 * (RFC 7662), revocation (RFC 7009), metadata (RFC 8414), and a resource that wants its tokens.
 */

import { valuesIn } from '../../../config/setting.js';
import { isSameUser } from '../../../http/credentials/is-same-user.js';
import { keyOf } from '../../../http/credentials/secret-text.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import { type Form, needed, readForm } from '../../../http/oauth/form.js';
import { noStore, OAuthError } from '../../../http/oauth/oauth-error.js';
import { presentedClient, wrongClient } from '../../../http/oauth/present-client.js';
import { readScope } from '../../../http/oauth/read-scope.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { invalidToken } from '../bearer-errors.js';
import { readBearerToken } from '../read-bearer-token.js';
import {
  describeToken,
  expiresAt,
  issuedTokens,
  oauthTokenSeconds,
  randomToken,
  rememberToken,
  revokeToken,
  tokenFault,
} from './access-tokens.js';
import * as schemas from './schemas.js';
import { knownScopes, oauthSettings } from './settings.js';

const paths = {
  token: '/api/auth/oauth/token',
  introspect: '/api/auth/oauth/introspect',
  revoke: '/api/auth/oauth/revoke',
  protected: '/api/auth/oauth/protected',
  metadata: '/.well-known/oauth-authorization-server',
} as const;

const scopeRule = {
  allowed: knownScopes,
  fault: `The scope must be one or more of ${knownScopes.join(', ')}, separated by one space.`,
};

export function addOAuthRoutes(app: App, services: Services): void {
  const oauth = new OAuthEndpoints(services);
  const { grantToken, introspect, revoke, showProtected, showMetadata } = schemas;

  app.post(paths.token, { schema: grantToken }, (...exchange) => oauth.grantToken(...exchange));
  app.post(paths.introspect, { schema: introspect }, (...exchange) =>
    oauth.introspect(...exchange),
  );
  app.post(paths.revoke, { schema: revoke }, (...exchange) => oauth.revoke(...exchange));
  app.get(paths.protected, { schema: showProtected }, (request) => oauth.showProtected(request));
  app.get(paths.metadata, { schema: showMetadata }, (request) => oauth.showMetadata(request));
}

class OAuthEndpoints {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async grantToken(request: Request, reply: Reply) {
    const form = await this.#clientForm(request, reply);
    if (needed(form, 'grant_type') !== 'client_credentials') {
      const message = 'grant_type must be client_credentials.';
      throw new OAuthError('unsupported_grant_type', message);
    }
    const { username: clientId } = this.#client;
    const scope = readScope(form.get('scope'), scopeRule).join(' ');
    const token = randomToken();
    await this.#services
      .sandboxOf(request)
      .update(issuedTokens, keyOf(token), (_none, nowMs) =>
        rememberToken({ clientId, scope, issuedAtMs: nowMs }),
      );
    return { access_token: token, token_type: 'Bearer', expires_in: oauthTokenSeconds, scope };
  }

  async introspect(request: Request, reply: Reply) {
    const form = await this.#clientForm(request, reply);
    const { token, fault } = await this.#find(request, needed(form, 'token'));
    if (token === undefined || fault !== undefined) return { active: false };
    return describeToken(token, this.#services.baseUrlOf(request));
  }

  async revoke(request: Request, reply: Reply) {
    const form = await this.#clientForm(request, reply);
    const key = keyOf(needed(form, 'token'));
    await this.#services.sandboxOf(request).update(issuedTokens, key, revokeToken);
    return {};
  }

  async showProtected(request: Request) {
    const text = readBearerToken(singleHeader(request, 'authorization'));
    const { token, fault, nowMs } = await this.#find(request, text);
    if (token === undefined || fault !== undefined) throw invalidToken(fault ?? '');
    return {
      message: 'The access token is right.',
      client_id: token.clientId,
      sub: token.clientId,
      scope: token.scope,
      expires_in: Math.ceil((expiresAt(token) - nowMs) / 1000),
    };
  }

  async showMetadata(request: Request) {
    const issuer = this.#services.baseUrlOf(request);
    const methods = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer,
      token_endpoint: issuer + paths.token,
      introspection_endpoint: issuer + paths.introspect,
      revocation_endpoint: issuer + paths.revoke,
      scopes_supported: [...knownScopes],
      // Required, and never empty, though there is no authorization endpoint.
      response_types_supported: ['none'],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
    };
  }

  get #client() {
    return valuesIn(this.#services.config, oauthSettings).oauthClient;
  }

  async #find(request: Request, text: string) {
    const sandbox = this.#services.sandboxOf(request);
    const token = await sandbox.read(issuedTokens, keyOf(text));
    const nowMs = await sandbox.now();
    return { token, fault: tokenFault(token, nowMs), nowMs };
  }

  /** Reads the form of a request whose client authenticates. */
  async #clientForm(request: Request, reply: Reply): Promise<Form> {
    reply.headers(noStore);
    const form = await readForm(request);
    const { clientId: username, secret: password } = presentedClient(request, form);
    if (username === undefined || password === undefined) {
      const message =
        username === undefined && password === undefined
          ? 'The client did not authenticate. Send Authorization: Basic with client id and secret, or client_id and client_secret in the form.'
          : 'The form holds only one of client_id and client_secret. Send both, or use Basic.';
      throw new OAuthError('invalid_client', message);
    }
    if (!isSameUser({ username, password }, this.#client)) throw wrongClient();
    return form;
  }
}

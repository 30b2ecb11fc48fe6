/** The scopes and resources that a client can request. */

import { joinBriefly } from '#base/text/cut-text.js';
import { nearestName } from '#base/text/did-you-mean.js';
import type { Form } from '#http/oauth/form.js';
import { rejected } from '#http/oauth/oauth-error.js';
import { knownScopes } from '../messages/known-scopes.js';
import type { Client } from './client.js';
import type { Signing } from './issuer-keys.js';
import { settingsOf } from './issuer-settings.js';

/** The scopes of the MCP server; a request without a scope gets the first. */
export const mcpScopes = ['mcp:read', 'mcp:write'] as const;

export const serviceScopes = ['profile', 'orders', ...mcpScopes] as const;

/** Useless for a client without a user, even if the sandbox lists them. */
const ofUsers: readonly string[] = knownScopes.filter(
  (each) => !serviceScopes.some((known) => known === each),
);

/** The scopes and resources that a client may request of an issuer. */
export interface Offers {
  /** Scopes of users, including the sandbox's. */
  readonly scopes: readonly string[];
  /** Scopes of clients without a user. */
  readonly serviceScopes: readonly string[];
  /** Whether a request for any other scope is an error. */
  readonly isStrict: boolean;
  readonly targets: readonly string[];
  /** The resources in the sandbox's settings. */
  readonly resources: readonly string[];
  /** Whether a resource is an address of a run. */
  readonly isOfRun: (resource: string) => boolean;
}

/** Returns the offers of an issuer, limited to the client's registered scope. */
export async function offersOf(
  { sandbox, issuer }: Pick<Signing, 'sandbox' | 'issuer'>,
  client?: Pick<Client, 'scopes'>,
): Promise<Offers> {
  const { scopes: own, resources, unregisteredScopes } = await settingsOf(sandbox);
  const isStrict = unregisteredScopes === 'error';
  const registered = isStrict ? client?.scopes : withStepUp(client?.scopes);
  const offered = (known: readonly string[]) =>
    [...new Set([...known, ...own])].filter((each) => registered?.includes(each) ?? true);
  const targets = [
    issuer.resource,
    issuer.at('me'),
    issuer.at('orders'),
    issuer.at('mcp'),
    ...resources,
  ];
  return {
    scopes: offered(knownScopes),
    serviceScopes: offered(serviceScopes).filter((each) => !ofUsers.includes(each)),
    isStrict,
    targets,
    resources,
    isOfRun: (resource) => issuer.isMcpRun(resource),
  };
}

/** MCP clients register with the scope of the first challenge, and need the other one later. */
function withStepUp(registered: readonly string[] | undefined): readonly string[] | undefined {
  return registered?.includes('mcp:read') ? [...registered, ...mcpScopes] : registered;
}

/** Returns the end of a message, if a requested scope is similar to a known one. */
export function meantScopes(requested: readonly string[], known: readonly string[]): string {
  const meant = requested.slice(0, 20).flatMap((each) => nearestName(each, known) ?? []);
  return meant.length === 0 ? '' : ` Did you mean ${[...new Set(meant)].join(' ')}?`;
}

/** Names scopes for a message. A client may have registered only unknown scopes. */
export function namedScopes(scopes: readonly string[]): string {
  return joinBriefly(scopes) || 'none: the scope that this client registered has no others';
}

/** Returns the default scopes of a request. Throws {@link RejectedRequest}. */
export function usualScopes(scopes: readonly string[]): readonly string[] {
  if (scopes.length === 0) {
    throw rejected(`The scope can be ${namedScopes(scopes)}.`, 'invalid_scope');
  }
  return scopes.includes('profile') ? ['profile'] : scopes;
}

/** Resources are absolute URIs without a fragment (RFC 8707 section 2); an audience is any text. */
export function isResourceUri(text: string): boolean {
  return URL.canParse(text) && !text.includes('#');
}

/**
 * Returns the requested targets, or `undefined` if there are none: from `resource` (RFC 8707) and `audience` (RFC 8693,
 * and elsewhere by convention). Throws {@link RejectedRequest}.
 */
export function readTargets(
  form: Form,
  { targets, isOfRun }: Offers,
): readonly string[] | undefined {
  const given = (['resource', 'audience'] as const).flatMap((name) => {
    const known = name === 'resource' ? targets.filter(isResourceUri) : targets;
    // Values are joined with spaces, and no target contains a space.
    return (form.get(name)?.split(' ') ?? []).map((each) => ({ name, each, known }));
  });
  const unknown = given.find(({ each, known }) => !known.includes(each) && !isOfRun(each));
  if (unknown !== undefined) {
    const { name, known } = unknown;
    throw rejected(
      `The ${name} must be one or more of ${joinBriefly(known)}, the resources of this issuer. Set yours in PUT /api/sandbox/oidc.`,
      'invalid_target',
    );
  }
  return given.length === 0 ? undefined : [...new Set(given.map(({ each }) => each))];
}

/** Whether tokens for `granted` may be exchanged for tokens for `requested`: the whole resource includes its parts. */
export function isWithin(
  requested: readonly string[] | undefined,
  granted: readonly string[] | undefined,
): boolean {
  if (requested === undefined || granted === undefined) return true;
  return requested.every((each) =>
    granted.some((one) => each === one || each.startsWith(`${one}/`)),
  );
}

/** Requires access tokens at the protected address. */

import { quoted } from '#http/credentials/challenge.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { AccessDemand, IssuerSteering } from '#kit/offers/issuer.js';
import type { Message } from '../messages/message.js';
import type { Misbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { isOfLogin } from '../misbehaviour/misbehaviours.js';
import { findTool } from '../tools/all-tools.js';

export const protectedPath = '/mcp/protected';
export const planPath = '/mcp/test-plan';
/** Below it are the URLs of a run; reports are below {@link planPath}. */
export const addressesPath = '/mcp/runs';

const scopes = { read: 'mcp:read', write: 'mcp:write' } as const;

export interface Permission {
  /** The user and the client of the token. */
  readonly principal: string;
  readonly mayWrite: boolean;
  readonly demand: AccessDemand;
}

function demandOf({ baseUrl }: Request, misbehaviour?: Misbehaviour): AccessDemand {
  const { path = protectedPath } = misbehaviour ?? {};
  const resource = `${baseUrl}${path}`;
  const { origin, pathname } = new URL(resource);
  const usual = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  const metadata =
    misbehaviour !== undefined && isOfLogin(misbehaviour.name)
      ? metadataUrl(baseUrl, misbehaviour)
      : usual;
  return { resource, metadata, scope: scopes.read };
}

/** URL of the metadata that a misbehaviour of the login begins with (RFC 9728, section 3.1). */
function metadataUrl(baseUrl: string, { run, name }: Misbehaviour): string {
  const { origin, pathname } = new URL(`${baseUrl}${addressesPath}/${run}/${name}`);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/** Verifies the token. Throws 401 without a valid one, and 403 if it lacks the scope for reading. */
export async function permissionOf(
  { verify }: IssuerSteering,
  request: Request,
  misbehaviour?: Misbehaviour,
): Promise<Permission> {
  const demand = demandOf(request, misbehaviour);
  const access = await verify(request, demand);
  const mayWrite = access.scopes.includes(scopes.write);
  if (!mayWrite && !access.scopes.includes(scopes.read)) throw insufficient(demand, scopes.read);
  return { principal: `${access.clientId} ${access.sub}`, mayWrite, demand };
}

/** Throws 403 if one of the messages calls a tool that needs the scope for writing. */
export async function checkWriting(
  { sandbox }: Request,
  { mayWrite, demand }: Permission,
  messages: readonly Message[],
): Promise<void> {
  if (mayWrite) return;
  for (const message of messages) {
    if (message.kind !== 'request' || message.method !== 'tools/call') continue;
    const tool = await findTool(sandbox, message.params.name);
    if (tool?.isWriting) throw insufficient(demand, `${scopes.read} ${scopes.write}`);
  }
}

/** Names all scopes that the client should request (RFC 6750 section 3.1). */
function insufficient({ metadata }: AccessDemand, scope: string): HttpError {
  const reason = `The token needs the scope ${scope}`;
  const challenge = [
    'Bearer error="insufficient_scope"',
    `scope=${quoted(scope)}`,
    `resource_metadata=${quoted(metadata)}`,
    `error_description=${quoted(reason)}`,
  ];
  return new HttpError(403, `${reason}.`, {
    headers: { 'www-authenticate': challenge.join(', ') },
  });
}

/** A request to an issuer, with what its handlers use. */

import type { KeyedMac } from '../../http/credentials/keyed-mac.js';
import type { Reply, Request } from '../../http/exchange.js';
import { type Form, readForm, readQuery } from '../../http/oauth/form.js';
import type { Services } from '../../kit/area.js';
import type { Sandbox } from '../../state/state.js';
import type { Proofs } from './dpop/proofs.js';
import { type Issuer, issuerOf } from './issuer.js';
import type { IssuerKeys } from './keys/issuer-keys.js';

export interface Signing {
  readonly keys: IssuerKeys;
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
}

export interface IssuerParts {
  readonly services: Services;
  readonly keys: IssuerKeys;
  readonly proofs: Proofs;
  /** Marks forms, so that only the browser that was shown one can send it. */
  readonly mac: KeyedMac;
}

export interface Exchange extends IssuerParts, Signing {
  readonly request: Request;
  readonly reply: Reply;
}

export function exchangeOf(parts: IssuerParts, request: Request, reply: Reply): Exchange {
  const { services } = parts;
  const sandbox = services.sandboxOf(request);
  return { ...parts, request, reply, sandbox, issuer: issuerOf(services, request) };
}

/** RFC 8707 section 2, RFC 8693 section 2.1. */
const repeatable = ['resource', 'audience'];
/** Assertions and request objects are the longest parameters. */
const maxBytes = 64 * 1024;

export function formOf({ request }: Pick<Exchange, 'request'>): Promise<Form> {
  return readForm(request, { maxBytes, repeatable });
}

/** Reads the posted form, or else the query. */
export async function parametersOf(at: Pick<Exchange, 'request'>): Promise<Form> {
  return at.request.method === 'POST' ? formOf(at) : readQuery(at.request, repeatable);
}

/** Events of the issuer, for subscriptions. They have no secrets. */

import type { SandboxEvent } from '#state/events/publish-event.js';

export type IssuerEventType =
  | 'login.succeeded'
  | 'login.failed'
  | 'client.registered'
  | 'token.revoked'
  | 'session.ended';

/** Makes an event about a user or a client. */
export function issuerEvent(type: IssuerEventType, about: string, more: object): SandboxEvent {
  const json = JSON.stringify({ id: about, ...more });
  return { source: 'issuer', type, object: `issuer/${about}`, json };
}

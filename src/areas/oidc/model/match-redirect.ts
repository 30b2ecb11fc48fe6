/** Matches a redirect URI against the registered ones: the same text, except for the port of loopback hosts. */

import type { Issuer } from '../messages/issuer.js';
import type { Client } from './client.js';
import { readyClients } from './find-client.js';

/** RFC 8252 section 7.3, which does not recommend the name localhost; many clients use it. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

export function isRegistered(given: string, registered: readonly string[]): boolean {
  // A port over 65535 has five digits, like a valid port.
  if (!URL.canParse(given)) return false;
  if (registered.includes(given)) return true;
  if (!loopback.test(given)) return false;
  const portless = withoutPort(given);
  return registered.some((uri) => loopback.test(uri) && withoutPort(uri) === portless);
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, '$1');
}

const pageClientId = 'demo-spa';

/**
 * Whether a demo client returns to the page of the issuer, which is an application, too. A client of the settings with
 * the same id has only its own redirect URIs.
 */
export function isOwnPage(uri: string, client: Client, issuer: Issuer): boolean {
  const page = readyClients.find(({ clientId }) => clientId === pageClientId);
  return client === page && uri === issuer.url;
}

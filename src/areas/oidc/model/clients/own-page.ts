/** The page of an issuer is an application, too: a demo client may return to it. */

import type { Issuer } from '../../messages/issuer.js';
import type { Client } from './client.js';
import { readyClients } from './find-client.js';

const pageClientId = 'demo-spa';

/** A client of the settings with the same id has only its own redirect URIs. */
export function isOwnPage(uri: string, client: Client, issuer: Issuer): boolean {
  const page = readyClients.find(({ clientId }) => clientId === pageClientId);
  return client === page && uri === issuer.url;
}

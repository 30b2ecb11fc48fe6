/** The routes of registration: RFC 7591, RFC 7592. */

import type { Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { App } from '../../../kit/endpoint.js';
import { describeFaults } from '../../../kit/input/describe-faults.js';
import { paths } from '../issuer.js';
import { oauthError } from '../oauth-error.js';
import { registrationHandlers } from './registration.js';
import * as schemas from './registration-schemas.js';

/** What is wrong with metadata has a code of its own (RFC 7591 section 3.2.2). */
const checksItself = { reportsFaultsItself: true };

function checkMetadata({ inputFaults }: Request): void {
  if (inputFaults === undefined) return;
  const faults = describeFaults(inputFaults.faults, 'body');
  const code = faults.some(({ field }) => field.startsWith('redirect_uris'))
    ? 'invalid_redirect_uri'
    : 'invalid_client_metadata';
  throw oauthError(code, faults.map(({ message }) => message).join(' '));
}

export function addRegistration(app: App, services: Services): void {
  const handle = registrationHandlers(services);
  const registering = { schema: schemas.register, ...checksItself };
  app.post(paths.register, registering, async (request, reply) => {
    checkMetadata(request);
    return handle.register(request, reply, request.body);
  });
  app.get(paths.registered, { schema: schemas.readClient }, (request, reply) =>
    handle.read(request, reply, request.params.clientId),
  );
  const replacing = { schema: schemas.replaceClient, ...checksItself };
  app.put(paths.registered, replacing, async (request, reply) => {
    checkMetadata(request);
    return handle.replace(request, reply, request.params.clientId, request.body);
  });
  app.delete(paths.registered, { schema: schemas.deleteClient }, (request, reply) =>
    handle.remove(request, reply, request.params.clientId),
  );
}

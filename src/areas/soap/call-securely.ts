/** Calls a service with messages that WS-Security protects. */

import { decodeXml } from '#http/xml/decode-xml.js';
import type { Sandbox } from '#state/state.js';
import { createResponder, type SoapRequest } from './call-service.js';
import { readCall } from './read-call.js';
import { readEnvelope } from './read-envelope.js';
import { judgeSecurity } from './security/judge-security.js';
import { securityHeader } from './security-names.js';
import type { Service } from './service.js';

interface SecureRequest extends SoapRequest {
  readonly isTimestampOptional: boolean;
}

/**
 * Makes a function that never throws. It caches no messages, because each may be sent only once.
 */
export function createSecureCaller(service: Service) {
  const { succeed, fail } = createResponder(service);
  return async (
    { version, charset, action, bytes, onParsed, isTimestampOptional }: SecureRequest,
    onFailure: (error: unknown) => void,
    sandbox: Sandbox,
  ) => {
    try {
      const options = { understood: securityHeader, onParsed };
      const envelope = readEnvelope(decodeXml(bytes, charset), version, options);
      await judgeSecurity(envelope, sandbox, isTimestampOptional);
      return succeed(version, readCall(service, envelope.entry, action));
    } catch (error) {
      return fail(version, error, onFailure);
    }
  };
}

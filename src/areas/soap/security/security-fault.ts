/** Faults of WS-Security: SOAP Message Security 1.1.1 section 12. */

import { wsse } from '../security-names.js';
import { SoapFault } from '../soap-fault.js';

type SecurityCode =
  | 'UnsupportedSecurityToken'
  | 'UnsupportedAlgorithm'
  | 'InvalidSecurity'
  | 'InvalidSecurityToken'
  | 'FailedAuthentication'
  | 'MessageExpired';

export function securityFault(name: SecurityCode, message: string): SoapFault {
  return new SoapFault('Sender', message, { standard: { prefix: 'wsse', namespace: wsse, name } });
}

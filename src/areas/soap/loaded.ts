/** The part of the area that its first request loads. */

import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { callOperation, describeService, versionOf } from './endpoints.js';
import { calculator } from './services/calculator.js';
import { countriesService } from './services/countries.js';
import { secureCalculator } from './services/secure-calculator.js';
import { SoapFault } from './soap-fault.js';
import { soap11 } from './soap-version.js';
import { writeFault } from './write-fault.js';

export const endpoints = ({ runtime, sandboxes: { datasets } }: Services): readonly Endpoint[] =>
  [calculator, countriesService(datasets), secureCalculator].flatMap((service) => [
    describeService(service),
    callOperation(service, runtime),
  ]);

/**
 * Writes a planned failure as a SOAP Fault, in the version of the call. A request for the WSDL is
 * not a call.
 */
export function shape(
  { method, headers }: Request,
  { status, message }: Failure,
): ShapedFailure | undefined {
  if (method !== 'POST') return undefined;
  const version = versionOf(headers['content-type']) ?? soap11;
  const fault = new SoapFault(status >= 500 ? 'Receiver' : 'Sender', message);
  // The namespace is only for details, which this fault does not have.
  return { contentType: version.contentType, body: writeFault(fault, version, '') };
}

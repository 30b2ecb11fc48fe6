/** A planned failure as a SOAP Fault, in the version of the call. */

import { mediaType } from '../../http/body/request-body.js';
import type { Request } from '../../http/exchange.js';
import type { ShapedFailure } from '../../http/http-error.js';
import type { Failure } from '../../kit/area.js';
import { SoapFault } from './soap-fault.js';
import { soap11, soapVersions } from './soap-version.js';
import { writeFault } from './write-fault.js';

/** None for a request that is no call, such as one for the WSDL. */
export function shapeFailure(
  { method, headers }: Request,
  { status, message }: Failure,
): ShapedFailure | undefined {
  if (method !== 'POST') return undefined;
  const type = mediaType(headers['content-type']);
  const version = soapVersions.find((each) => each.mediaType === type) ?? soap11;
  const fault = new SoapFault(status >= 500 ? 'Receiver' : 'Sender', message);
  // The namespace is that of details, of which there are none.
  return { contentType: version.contentType, body: writeFault(fault, version, '') };
}

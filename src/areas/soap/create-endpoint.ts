/** A service made from its description: it knows SOAP, and of HTTP only what SOAP says about it. */

import { unexpectedFailure } from '../../http/http-error.js';
import { internalFailure } from './body-faults.js';
import { decodeXml } from './decode-xml.js';
import { escapeXml } from './escape-xml.js';
import { readCall } from './read-call.js';
import { malformed, readEnvelope } from './read-envelope.js';
import { rememberCalls } from './remember-calls.js';
import type { Fields, RecordOf } from './schema-types.js';
import type { Operation, ServiceDescription } from './service-description.js';
import { SoapFault, typedFault } from './soap-fault.js';
import { type SoapVersion, soap11, soap12 } from './soap-version.js';
import { wrapBody } from './wrap-body.js';
import { faultStatus, writeFault } from './write-fault.js';
import { recordWriter } from './write-value.js';
import { XmlError } from './xml-error.js';

export interface SoapRequest {
  readonly version: SoapVersion;
  /** What the Content-Type says of the encoding. */
  readonly charset: string | undefined;
  /** What SOAPAction, or the `action` of a SOAP 1.2 Content-Type, says is called. */
  readonly action: string | undefined;
  readonly bytes: Buffer;
}

export interface SoapResponse {
  readonly status: 200 | 400 | 500;
  readonly contentType: string;
  readonly body: string;
}

export interface SoapEndpoint {
  /** Never throws; `onFailure` hears of errors that are no fault of the caller. */
  readonly answer: (request: SoapRequest, onFailure: (error: unknown) => void) => SoapResponse;
}

export function createEndpoint(service: ServiceDescription): SoapEndpoint {
  const bindings = {
    '1.1': bind(service, soap11),
    '1.2': bind(service, soap12),
  } as const;

  function call({ version, charset, action, bytes }: SoapRequest): string {
    const { read, writers } = bindings[version.name];
    const { operation, args } = read(decode(bytes, charset), action);
    const write = writers.get(operation);
    if (write === undefined) throw new Error(`${operation.name} is not of ${service.name}`);
    return write(operation.call(args));
  }

  return {
    answer(request, onFailure) {
      const { version } = request;
      const { contentType } = version;
      try {
        return { status: 200, contentType, body: call(request) };
      } catch (error) {
        if (!(error instanceof SoapFault)) onFailure(error);
        const fault = error instanceof SoapFault ? error : failureOfOurs();
        const body = writeFault(fault, version, service.namespace);
        return { status: faultStatus(fault, version), contentType, body };
      }
    },
  };
}

type WriteResponse = (response: RecordOf<Fields>) => string;

/** What reads the calls and writes the responses of a service in one version. */
function bind(service: ServiceDescription, version: SoapVersion) {
  const { namespace, operations } = service;
  return {
    read: rememberCalls((xml, action) => readCall(service, readEnvelope(xml, version), action)),
    writers: new Map(operations.map((each) => [each, responseWriter(version, namespace, each)])),
  };
}

/** The envelope is written once; only what is inside the response differs from call to call. */
function responseWriter(
  version: SoapVersion,
  namespace: string,
  { name, response }: Operation,
): WriteResponse {
  const marker = '\u0000';
  const body = `<${name}Response xmlns="${escapeXml(namespace)}">${marker}</${name}Response>`;
  const [before = '', after = ''] = wrapBody(version, body).split(marker);
  const write = recordWriter(response);
  return (value) => before + write(value) + after;
}

function decode(bytes: Buffer, charset: string | undefined): string {
  try {
    return decodeXml(bytes, charset);
  } catch (error) {
    throw error instanceof XmlError ? malformed(error) : error;
  }
}

function failureOfOurs(): SoapFault {
  return typedFault('Receiver', internalFailure, unexpectedFailure, {});
}

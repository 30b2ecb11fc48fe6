/** Calls a service by a message: it knows SOAP, and of HTTP only what SOAP says about it. */

import { createBoundedCache } from '../../base/bounded-cache.js';
import { unexpectedFailure } from '../../http/http-error.js';
import { CapacityError, StateUnavailableError } from '../../state/state.js';
import { internalFailure } from './body-faults.js';
import { type Call, readCall } from './read-call.js';
import { readEnvelope } from './read-envelope.js';
import type { Fields, RecordOf } from './schema-types.js';
import type { Operation, Service } from './service.js';
import { SoapFault, typedFault } from './soap-fault.js';
import { type SoapVersion, soapVersions, wrapBody } from './soap-version.js';
import { faultStatus, writeFault } from './write-fault.js';
import { recordWriter } from './write-value.js';
import { decodeXml } from './xml/decode-xml.js';
import { escapeXml, XmlError } from './xml/text.js';

export interface SoapRequest {
  readonly version: SoapVersion;
  /** What the Content-Type says of the encoding. */
  readonly charset: string | undefined;
  /** What SOAPAction, or the `action` of a SOAP 1.2 Content-Type, says is called. */
  readonly action: string | undefined;
  readonly bytes: Buffer;
}

type ReportFailure = (error: unknown) => void;

/** Makes a function that never throws; `onFailure` hears of errors that are no fault of the caller. */
export function createCaller(service: Service) {
  const { succeed, fail } = createResponder(service);
  const readers = new Map(
    soapVersions.map((version) => [
      version,
      rememberCalls((xml, action) => readCall(service, readEnvelope(xml, version).entry, action)),
    ]),
  );
  return ({ version, charset, action, bytes }: SoapRequest, onFailure: ReportFailure) => {
    try {
      const read = readers.get(version) as ReadMessage;
      return succeed(version, read(decodeXml(bytes, charset), action));
    } catch (error) {
      return fail(version, error, onFailure);
    }
  };
}

/** Makes the functions that write the responses of a service. */
export function createResponder(service: Service) {
  const { operations, namespace } = service;
  const writers = new Map(
    soapVersions.map((version) => [
      version,
      new Map(operations.map((each) => [each, responseWriter(service, each, version)])),
    ]),
  );
  return {
    succeed(version: SoapVersion, { operation, args }: Call) {
      const write = writers.get(version)?.get(operation) as (value: RecordOf<Fields>) => string;
      return { status: 200, contentType: version.contentType, body: write(operation.call(args)) };
    },
    fail(version: SoapVersion, error: unknown, onFailure: ReportFailure) {
      const fault = faultOf(error, onFailure);
      const body = writeFault(fault, version, namespace);
      return { status: faultStatus(fault, version), contentType: version.contentType, body };
    },
  };
}

/** The envelope is written once; only what is inside the response differs from call to call. */
function responseWriter(
  { namespace }: Service,
  { name, response }: Operation,
  version: SoapVersion,
) {
  const marker = '\u0000';
  const body = `<${name}Response xmlns="${escapeXml(namespace)}">${marker}</${name}Response>`;
  const [before = '', after = ''] = wrapBody(version, body).split(marker);
  const write = recordWriter(response);
  return (value: RecordOf<Fields>) => before + write(value) + after;
}

function faultOf(error: unknown, onFailure: (error: unknown) => void): SoapFault {
  if (error instanceof SoapFault) return error;
  if (error instanceof XmlError) {
    return new SoapFault('Sender', error.message, { subcode: 'MalformedXml' });
  }
  if (error instanceof CapacityError || error instanceof StateUnavailableError) {
    return new SoapFault('Receiver', error.message);
  }
  onFailure(error);
  return typedFault('Receiver', internalFailure, unexpectedFailure, {});
}

/** Reads a message and what HTTP says it calls; pure, but for faults that it throws. */
type ReadMessage = (xml: string, action: string | undefined) => Call;

/** At most this many messages are kept; one more drops the one used longest ago. */
export const maxMessages = 256;

/** Longer messages are not kept, in characters. */
export const maxMessageLength = 2048;

/** Keeps messages that have been read, because tests send the same ones over and over. What is rejected is not kept. */
export function rememberCalls(read: ReadMessage): ReadMessage {
  const kept = createBoundedCache<{ readonly action: string | undefined; readonly call: Call }>({
    maxEntries: maxMessages,
  });
  return (xml, action) => {
    const known = kept.find(xml);
    if (known !== undefined && known.action === action) return known.call;
    const call = read(xml, action);
    if (xml.length <= maxMessageLength) kept.keep(xml, { action, call });
    return call;
  };
}

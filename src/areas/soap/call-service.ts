/** Calls a service with a message; uses only the parts of HTTP that SOAP defines. */

import { createBoundedCache } from '#base/bounded-cache.js';
import { unexpectedFailure } from '#http/http-error.js';
import { decodeXml } from '#http/xml/decode-xml.js';
import type { XmlElement } from '#http/xml/parse-xml.js';
import { escapeXml, XmlError } from '#http/xml/text.js';
import { CapacityError, StateUnavailableError } from '#state/state.js';
import { internalFailure } from './body-faults.js';
import { type Call, readCall } from './read-call.js';
import { readEnvelope } from './read-envelope.js';
import type { Operation, Service } from './service.js';
import { SoapFault, typedFault } from './soap-fault.js';
import { type SoapVersion, soapVersions, wrapBody } from './soap-version.js';
import type { Fields, RecordOf } from './values/schema-types.js';
import { recordWriter } from './values/write-value.js';
import { faultStatus, writeFault } from './write-fault.js';

export interface SoapRequest {
  readonly version: SoapVersion;
  /** Encoding in the Content-Type. */
  readonly charset: string | undefined;
  /** The called action, in SOAPAction or the `action` of a SOAP 1.2 Content-Type. */
  readonly action: string | undefined;
  readonly bytes: Buffer;
  /** Receives the envelope of a well-formed message, which is then parsed even if it is remembered. */
  readonly onParsed?: ((envelope: XmlElement) => void) | undefined;
}

type ReportFailure = (error: unknown) => void;

/**
 * Makes a function that never throws; `onFailure` receives errors that the caller did not cause.
 */
export function createCaller(service: Service) {
  const { succeed, fail } = createResponder(service);
  const readers = new Map(
    soapVersions.map((version) => [
      version,
      rememberCalls((xml, action) => readCall(service, readEnvelope(xml, version).entry, action)),
    ]),
  );
  return (message: SoapRequest, onFailure: ReportFailure) => {
    const { version, charset, action, bytes, onParsed } = message;
    try {
      const xml = decodeXml(bytes, charset);
      const read = readers.get(version) as ReadMessage;
      const call =
        onParsed === undefined
          ? read(xml, action)
          : readCall(service, readEnvelope(xml, version, { onParsed }).entry, action);
      return succeed(version, call);
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

/** Writes the envelope once; only the content of the response differs between calls. */
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

/** Parses a message and its action; pure, except for thrown faults. */
type ReadMessage = (xml: string, action: string | undefined) => Call;

/** At most this many messages are cached; a further message drops the least recently used one. */
export const maxMessages = 256;

/** In characters; longer messages are not cached. */
export const maxMessageLength = 2048;

/** Caches parsed messages, because tests repeat the same ones. Rejected messages are not cached. */
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

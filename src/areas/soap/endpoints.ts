/** The SOAP services over HTTP: SOAP 1.1 section 6, SOAP 1.2 part 2 section 7. */

import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { whenKnown } from '#base/awaitable.js';
import {
  checkHead,
  maxParsedBodyBytes,
  mediaType,
  readWholeBody,
  rejectContentEncoding,
  typeNotAccepted,
} from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import type { XmlElement } from '#http/xml/parse-xml.js';
import { type Endpoint, endpoint, open, openExceptTypos, unvalidated } from '#kit/endpoint.js';
import type { Runtime } from '#kit/services.js';
import { createSecureCaller } from './call-securely.js';
import { createCaller, type SoapRequest } from './call-service.js';
import { describeUsage } from './description/describe-usage.js';
import { writeWsdl } from './description/write-wsdl.js';
import { sampleSecurity } from './security/write-security.js';
import type { Service } from './service.js';
import { type SoapVersion, soap11, soap12, soapVersions } from './soap-version.js';

const usageSchema = Type.Object({
  service: Type.String(),
  wsdl: Type.String({ description: 'URL of the WSDL.' }),
  operations: Type.Array(Type.String()),
  soap11: Type.Object({
    contentType: Type.String(),
    soapAction: Type.String({ description: 'The header SOAPAction of the sample.' }),
    sample: Type.String({ description: 'A message that is ready to send.' }),
  }),
  soap12: Type.Object({
    contentType: Type.String(),
    sample: Type.String({ description: 'A message that is ready to send.' }),
  }),
});

const envelopeSchema = Type.String({ description: 'An envelope, as the WSDL describes it.' });

const envelopes = (versions: readonly SoapVersion[]) =>
  Object.fromEntries(versions.map((version) => [version.mediaType, envelopeSchema]));

const envelopeResponse = (description: string, versions: readonly SoapVersion[]) => ({
  description,
  content: Object.fromEntries(
    versions.map((version) => [version.mediaType, { schema: envelopeSchema }]),
  ),
});

const timestampQuery = {
  timestamp: Type.Optional(
    Type.Unsafe<'required' | 'optional'>({
      type: 'string',
      enum: ['required', 'optional'],
      description: 'With optional, a Timestamp is checked only where the message has one.',
    }),
  ),
};

const isTimestampOptional = ({ query }: Request) =>
  (query as { readonly timestamp?: string }).timestamp === 'optional';

export const describeService = (service: Service): Endpoint =>
  endpoint('GET', service.path, {
    summary: `Get the WSDL of ${service.name}, or how to call it`,
    description: 'With `?wsdl` the WSDL, else the usage with ready-to-send samples.',
    // Any case of wsdl is accepted.
    query: open({
      wsdl: Type.Optional(
        Type.Unknown({ description: 'Requests the WSDL; any value is accepted.' }),
      ),
      ...(service.isSecured && timestampQuery),
    }),
    responses: {
      200: {
        description: 'The usage, or the WSDL.',
        content: {
          'application/json': { schema: usageSchema },
          'text/xml': { schema: Type.String() },
        },
      },
    },
    handle(request, reply) {
      const isOptional = service.isSecured && isTimestampOptional(request);
      const query = isOptional ? '?timestamp=optional' : '';
      const address = request.baseUrl + service.path + query;
      // The parameter name may be in any letter case: `?WSDL` is as common as `?wsdl`.
      const isWsdl = Object.keys(request.query).some((name) => name.toLowerCase() === 'wsdl');
      if (!isWsdl) {
        if (!service.isSecured) return describeUsage(service, address);
        return whenKnown(request.sandbox.now(), (nowMs) =>
          describeUsage(service, address, sampleSecurity(nowMs)),
        );
      }
      return reply.header('content-type', soap11.contentType).send(writeWsdl(service, address));
    },
  });

export function callOperation(service: Service, { reportFailure }: Runtime): Endpoint {
  const { path, name, summary, operations } = service;
  const call = service.isSecured ? createSecureCaller(service) : createCaller(service);
  const names = operations.map((each) => each.name).join(', ');
  return endpoint('POST', path, {
    summary: `Call ${name}`,
    description: `${summary} Operations: ${names}. Send SOAP 1.1 as text/xml with a SOAPAction header, and SOAP 1.2 as application/soap+xml. Errors are SOAP Faults. \`GET ${path}?wsdl\` describes the messages.`,
    headers: unvalidated({
      SOAPAction: Type.Optional(
        Type.String({ description: 'For SOAP 1.1: the action in double quotes.' }),
      ),
    }),
    onlyReads: true,
    ...(service.isSecured && { query: openExceptTypos(timestampQuery) }),
    bodies: envelopes(soapVersions),
    responses: {
      200: envelopeResponse(
        "The response, in an envelope of the request's SOAP version.",
        soapVersions,
      ),
      400: envelopeResponse('A SOAP 1.2 Fault with the code Sender.', [soap12]),
      413: errorSchema,
      415: errorSchema,
      500: envelopeResponse(
        'Any SOAP 1.1 Fault, and a SOAP 1.2 Fault with another code.',
        soapVersions,
      ),
    },
    async handle(request, reply) {
      // Checks only the head, so it also works if a client sends the body in chunks, or never.
      checkHead(request, maxParsedBodyBytes);
      const version = checkType(request.headers);
      const bytes = await readWholeBody(request);
      const onFailure = (error: unknown) => reportFailure(request, error);
      const onParsed = request.onParsed && ((xml: XmlElement) => request.onParsed?.({ xml }));
      const message = {
        ...readCall(request, version, bytes),
        onParsed,
        isTimestampOptional: isTimestampOptional(request),
      };
      const response = call(message, onFailure, request.sandbox);
      const { status, contentType, body } = await response;
      return reply.code(status).header('content-type', contentType).send(body);
    },
  });
}

function checkType(headers: IncomingHttpHeaders): SoapVersion {
  const { 'content-type': contentType = '', 'content-encoding': encoding } = headers;
  const version = versionOf(contentType);
  if (version === undefined) {
    throw typeNotAccepted(
      contentType,
      `${soap11.contentType} for SOAP 1.1, or ${soap12.contentType} for SOAP 1.2`,
    );
  }
  rejectContentEncoding(encoding);
  return version;
}

function readCall({ headers }: Request, version: SoapVersion, bytes: Buffer): SoapRequest {
  const { 'content-type': contentType = '', soapaction } = headers;
  return {
    version,
    charset: parameterOf(contentType, 'charset'),
    action: version === soap11 ? unquoted(soapaction) : parameterOf(contentType, 'action'),
    bytes,
  };
}

export function versionOf(contentType: string | undefined): SoapVersion | undefined {
  const type = mediaType(contentType);
  return soapVersions.find((version) => version.mediaType === type);
}

const parameter = /;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/g;

/**
 * Returns a parameter of a Content-Type header (RFC 9110 sections 5.6.6 and 8.3.1), the first of
 * that name, unquoted.
 */
export function parameterOf(contentType: string, name: string): string | undefined {
  parameter.lastIndex = 0;
  for (;;) {
    const found = parameter.exec(contentType);
    if (found === null) return undefined;
    const [, sent = '', quoted, plain] = found;
    if (sent.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? plain;
  }
}

/** SOAPAction is a quoted URI (Basic Profile 1.1 R1109); many clients forget the quotes. */
function unquoted(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const action = header.trim();
  return /^".*"$/s.test(action) ? action.slice(1, -1) : action;
}

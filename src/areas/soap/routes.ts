/** The SOAP services over HTTP: SOAP 1.1 section 6, SOAP 1.2 part 2 section 7. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App, Area, Services } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { HttpError } from '../../server/http-error.js';
import { maxParsedBodyBytes, mediaType, readBody } from '../../server/request-body.js';
import { calculator } from './calculator.js';
import { contentTypeParameter } from './content-type.js';
import { countriesService } from './countries.js';
import { createEndpoint, type SoapRequest } from './create-endpoint.js';
import { describeUsage } from './describe-usage.js';
import { soapExamples } from './examples.js';
import type { ServiceDescription } from './service-description.js';
import { soap11, soap12, soapVersions } from './soap-version.js';
import { writeWsdl } from './write-wsdl.js';

const usageSchema = Type.Object({
  service: Type.String(),
  wsdl: Type.String({ description: 'Where the WSDL is.' }),
  operations: Type.Array(Type.String()),
  soap11: Type.Object({
    contentType: Type.String(),
    soapAction: Type.String({ description: 'The header SOAPAction of the sample.' }),
    sample: Type.String({ description: 'A message that can be posted as it is.' }),
  }),
  soap12: Type.Object({
    contentType: Type.String(),
    sample: Type.String({ description: 'A message that can be posted as it is.' }),
  }),
});

const envelopeSchema = Type.String({ description: 'An envelope, as the WSDL describes it.' });

const xml = (description: string, mediaTypes: readonly string[]) => ({
  description,
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: envelopeSchema }])),
});

const envelopeTypes = soapVersions.map((version) => version.mediaType);
const answerSchemas = {
  200: xml('The response, in an envelope of the version of the request.', envelopeTypes),
  400: xml('A SOAP 1.2 Fault with the code Sender.', [soap12.mediaType]),
  413: errorSchema,
  415: errorSchema,
  500: xml('Any SOAP 1.1 Fault, and a SOAP 1.2 Fault with another code.', envelopeTypes),
};

export const soapArea: Area = {
  name: 'soap',
  title: 'SOAP',
  start: calculator.path,
  summary: 'A calculator and facts about countries, by SOAP 1.1 and 1.2, described by WSDL.',
  examples: () => soapExamples,
  imports: [
    {
      path: `${calculator.path}?wsdl`,
      name: 'SOAP calculator',
      format: 'WSDL 1.1',
      for: 'SOAP clients, such as SoapUI and zeep.',
    },
    {
      path: '/api/soap/countries?wsdl',
      name: 'SOAP countries',
      format: 'WSDL 1.1',
      for: 'The same, for the other service.',
    },
  ],

  addRoutes(app, services) {
    for (const service of [calculator, countriesService(services.datasets)]) {
      addService(app, services, service);
    }
  },
};

function addService(app: App, services: Services, service: ServiceDescription): void {
  const { name, path, operations } = service;
  const endpoint = createEndpoint(service);
  const names = operations.map((each) => each.name).join(', ');

  app.get(
    path,
    {
      schema: {
        summary: `The WSDL of ${name}, or how to call it`,
        description: 'With `?wsdl` the WSDL, else the usage with samples that work as they stand.',
        querystring: Type.Object({
          wsdl: Type.Optional(
            Type.Unknown({ description: 'Asks for the WSDL; the value is free.' }),
          ),
        }),
        response: {
          200: {
            description: 'The usage, or the WSDL.',
            content: {
              'application/json': { schema: usageSchema },
              'text/xml': { schema: Type.String() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const address = `${services.baseUrlOf(request)}${path}`;
      if (!asksForWsdl(request)) return describeUsage(service, address);
      return reply.header('content-type', soap11.contentType).send(writeWsdl(service, address));
    },
  );

  app.post(
    path,
    {
      schema: {
        summary: `Calls ${name}`,
        description: `${service.summary} Operations: ${names}. SOAP 1.1 is sent as text/xml, with a SOAPAction header; SOAP 1.2 as application/soap+xml. Errors are SOAP Faults. \`GET ${path}?wsdl\` describes the messages.`,
        described: {
          headers: {
            SOAPAction: Type.Optional(
              Type.String({ description: 'Of SOAP 1.1: the action in double quotes.' }),
            ),
          },
          body: Object.fromEntries(envelopeTypes.map((type) => [type, envelopeSchema])),
        },
        response: answerSchemas,
      },
    },
    async (request, reply) => {
      const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
      const { status, contentType, body } = endpoint.answer(
        readCall(request.headers, bytes),
        (error) => services.reportFailure(request, error),
      );
      reply.code(status).header('content-type', contentType);
      return body;
    },
  );
}

/** The name of the parameter is written in any case: `?WSDL` is as common as `?wsdl`. */
function asksForWsdl({ query }: FastifyRequest): boolean {
  return Object.keys(query as object).some((name) => name.toLowerCase() === 'wsdl');
}

function readCall(headers: IncomingHttpHeaders, bytes: Buffer): SoapRequest {
  const contentType = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'];
  const { version, charset, action } = plainTypes.get(contentType) ?? readContentType(contentType);
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, `Content-Encoding ${encoding} is not taken. Send it plain.`, {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  return {
    version,
    charset,
    action: version === soap11 ? unquoted(headers.soapaction) : action,
    bytes,
  };
}

type ContentType = Omit<SoapRequest, 'bytes'>;

/** What most clients send, word for word. */
const plainTypes: ReadonlyMap<string, ContentType> = new Map(
  soapVersions.map(({ contentType }) => [contentType, readContentType(contentType)]),
);

function readContentType(contentType: string): ContentType {
  const type = mediaType(contentType);
  const version = soapVersions.find((each) => each.mediaType === type);
  if (version === undefined) throw unsupportedType(contentType);
  return {
    version,
    charset: contentTypeParameter(contentType, 'charset'),
    action: contentTypeParameter(contentType, 'action'),
  };
}

function unsupportedType(contentType: string): HttpError {
  const sent = contentType === '' ? 'has no Content-Type' : `is ${contentType}`;
  return new HttpError(
    415,
    `The body ${sent}. Send ${soap11.contentType} for SOAP 1.1, or ${soap12.contentType} for SOAP 1.2.`,
  );
}

/** SOAPAction is a quoted URI (Basic Profile 1.1 R1109); many clients forget the quotes. */
function unquoted(header: string | string[] | undefined): string | undefined {
  const action = typeof header === 'string' ? header.trim() : undefined;
  const isQuoted = action !== undefined && action.length > 1 && action.at(0) === '"';
  return isQuoted && action.endsWith('"') ? action.slice(1, -1) : action;
}

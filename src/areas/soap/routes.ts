/** The SOAP services over HTTP: SOAP 1.1 section 6, SOAP 1.2 part 2 section 7. */

import type { IncomingHttpHeaders } from 'node:http';
import {
  maxParsedBodyBytes,
  mediaType,
  readBody,
  rejectContentEncoding,
  typeNotAccepted,
} from '../../http/body/request-body.js';
import type { Reply, Request } from '../../http/exchange.js';
import type { HttpError } from '../../http/http-error.js';
import type { Area, Services } from '../../kit/area.js';
import { calculator } from './calculator.js';
import { contentTypeParameter } from './content-type.js';
import { countriesService } from './countries.js';
import { createEndpoint, type SoapRequest } from './create-endpoint.js';
import { describeUsage } from './describe-usage.js';
import { soapExamples } from './examples.js';
import { getSchema, postSchema } from './route-schemas.js';
import type { ServiceDescription } from './service-description.js';
import { shapeFailure } from './shape-failure.js';
import { soap11, soap12, soapVersions } from './soap-version.js';
import { writeWsdl } from './write-wsdl.js';

export const soapArea: Area = {
  name: 'soap',
  title: 'SOAP',
  guide: 'soap',
  defaults: {
    caching: 'revalidate',
  },
  front: {
    start: calculator.path,
    index: '/api/soap',
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
  },
  summary: 'A calculator and facts about countries, by SOAP 1.1 and 1.2, described by WSDL.',
  failures: { shape: shapeFailure },
  addRoutes(app, services) {
    for (const service of [calculator, countriesService(services.datasets)]) {
      const { get, post } = createHandlers(service, services);
      app.get(service.path, { schema: getSchema(service) }, get);
      app.post(service.path, { schema: postSchema(service) }, post);
    }
  },
};

function createHandlers(service: ServiceDescription, services: Services) {
  const endpoint = createEndpoint(service);
  return {
    async get(request: Request, reply: Reply) {
      const address = `${services.baseUrlOf(request)}${service.path}`;
      if (!asksForWsdl(request)) return describeUsage(service, address);
      return reply.header('content-type', soap11.contentType).send(writeWsdl(service, address));
    },

    async post(request: Request, reply: Reply) {
      const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
      const { status, contentType, body } = endpoint.answer(
        readCall(request.headers, bytes),
        (error) => services.reportFailure(request, error),
      );
      reply.code(status).header('content-type', contentType);
      return body;
    },
  };
}

/** The name of the parameter is written in any case: `?WSDL` is as common as `?wsdl`. */
function asksForWsdl({ query }: Request): boolean {
  return Object.keys(query as object).some((name) => name.toLowerCase() === 'wsdl');
}

function readCall(headers: IncomingHttpHeaders, bytes: Buffer): SoapRequest {
  const contentType = headers['content-type'] ?? '';
  const { version, charset, action } = readContentType(contentType);
  rejectContentEncoding(headers['content-encoding']);
  return {
    version,
    charset,
    action: version === soap11 ? unquoted(headers.soapaction) : action,
    bytes,
  };
}

function readContentType(contentType: string): Omit<SoapRequest, 'bytes'> {
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
  return typeNotAccepted(
    contentType,
    `${soap11.contentType} for SOAP 1.1, or ${soap12.contentType} for SOAP 1.2`,
  );
}

/** SOAPAction is a quoted URI (Basic Profile 1.1 R1109); many clients forget the quotes. */
function unquoted(header: string | string[] | undefined): string | undefined {
  const action = typeof header === 'string' ? header.trim() : undefined;
  const isQuoted = action !== undefined && action.length > 1 && action.at(0) === '"';
  return isQuoted && action.endsWith('"') ? action.slice(1, -1) : action;
}

/** What the SOAP services accept and return, for their description. */

import { Type } from 'typebox';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { ServiceDescription } from './service-description.js';
import { soap12, soapVersions } from './soap-version.js';

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
const responseSchemas = {
  200: xml('The response, in an envelope of the version of the request.', envelopeTypes),
  400: xml('A SOAP 1.2 Fault with the code Sender.', [soap12.mediaType]),
  413: errorSchema,
  415: errorSchema,
  500: xml('Any SOAP 1.1 Fault, and a SOAP 1.2 Fault with another code.', envelopeTypes),
};

export const getSchema = ({ name }: ServiceDescription) => ({
  summary: `Get the WSDL of ${name}, or how to call it`,
  description: 'With `?wsdl` the WSDL, else the usage with samples that work as they stand.',
  querystring: Type.Object({
    wsdl: Type.Optional(Type.Unknown({ description: 'Asks for the WSDL; the value is free.' })),
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
});

export function postSchema({ path, name, summary, operations }: ServiceDescription) {
  const names = operations.map((each) => each.name).join(', ');
  return {
    summary: `Call ${name}`,
    description: `${summary} Operations: ${names}. SOAP 1.1 is sent as text/xml, with a SOAPAction header; SOAP 1.2 as application/soap+xml. Errors are SOAP Faults. \`GET ${path}?wsdl\` describes the messages.`,
    described: {
      headers: {
        SOAPAction: Type.Optional(
          Type.String({ description: 'Of SOAP 1.1: the action in double quotes.' }),
        ),
      },
      body: Object.fromEntries(envelopeTypes.map((type) => [type, envelopeSchema])),
    },
    response: responseSchemas,
  };
}

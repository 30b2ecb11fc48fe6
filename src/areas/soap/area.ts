/** Three services over SOAP 1.1 and 1.2. */

import { Type } from 'typebox';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { type ImportedFile, importedFileToken } from '#kit/offers/front-page.js';
import { paths } from './paths.js';
import { soapUser } from './security/soap-user.js';

const loaded = () => import('./loaded.js');

const importedFiles: readonly ImportedFile[] = [
  {
    path: `${paths.calculator}?wsdl`,
    name: 'SOAP calculator',
    format: 'WSDL 1.1',
    for: 'SOAP clients, such as SoapUI and zeep.',
  },
  {
    path: `${paths.countries}?wsdl`,
    name: 'SOAP countries',
    format: 'WSDL 1.1',
    for: 'The country service, for the same clients.',
  },
  {
    path: `${paths.secure}?wsdl`,
    name: 'SOAP calculator with WS-Security',
    format: 'WSDL 1.1',
    for: 'SOAP clients that send a UsernameToken.',
  },
];

export const soapArea: Area = {
  name: 'soap',
  title: 'SOAP',
  guide: 'soap',
  summary:
    'A calculator, with and without WS-Security, and facts about countries, over SOAP 1.1 and 1.2, described by WSDL.',
  front: {
    group: 'protocols',
    start: paths.calculator,
    index: '/api/soap',
    examples: () => [
      {
        title: 'Add two numbers over SOAP 1.1',
        method: 'POST',
        path: '/api/soap/calculator',
        headers: {
          'Content-Type': 'text/xml; charset=utf-8',
          SOAPAction: '"http://tempuri.org/Add"',
        },
        body: `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">
  <soap:Body>
    <Add xmlns="http://tempuri.org/">
      <intA>19</intA>
      <intB>23</intB>
    </Add>
  </soap:Body>
</soap:Envelope>`,
        response: { status: 200, has: '<AddResult>42</AddResult>' },
      },
      {
        title: 'Divide by zero and read the SOAP 1.2 Fault',
        method: 'POST',
        path: '/api/soap/calculator',
        headers: { 'Content-Type': 'application/soap+xml; charset=utf-8' },
        body: `<env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope">
  <env:Body>
    <Divide xmlns="http://tempuri.org/">
      <intA>1</intA>
      <intB>0</intB>
    </Divide>
  </env:Body>
</env:Envelope>`,
        response: { status: 500, has: 'Receiver' },
      },
    ],
  },
  defaults: { caching: 'revalidate' },
  failures: { shape: async (request, failure) => (await loaded()).shape(request, failure) },
  postman: [
    {
      leftOut: {
        postSoapSecure: 'It needs a current Timestamp, which a request file cannot compute.',
      },
    },
  ],
  offers: [
    ...importedFiles.map((file) => importedFileToken.of(() => file)),
    credentialsToken.of(() => ({
      title: 'SOAP',
      schema: { soap: Type.Object({ username: Type.String(), password: Type.String() }) },
      read: () => ({ soap: soapUser }),
    })),
  ],
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
};

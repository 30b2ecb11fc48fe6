/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

export const soapExamples: readonly Example[] = [
  {
    title: 'Add two numbers by SOAP 1.1',
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
    answer: { status: 200, has: '<AddResult>42</AddResult>' },
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
    answer: { status: 500, has: 'Receiver' },
  },
];

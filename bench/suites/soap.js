/**
 * Adding two numbers beside the server of node-soap, which is made from the same WSDL. The message is the
 * same each time, as in most tests; ours is kept once it has been parsed, see docs/decisions/0052.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createService } from 'practice-api';
import { listen } from 'soap';
import { listenOnLoopback } from '../listen-on-loopback.js';

const path = '/api/soap/calculator';

/** What node-soap's client sends. */
const call = {
  method: 'POST',
  path,
  headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '"http://tempuri.org/Add"' },
  body: '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:tns="http://tempuri.org/"><soap:Body><Add xmlns="http://tempuri.org/"><intA>2</intA><intB>3</intB></Add></soap:Body></soap:Envelope>',
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'soap',
  contenders: {
    'practice-api': async () => (await createService()).url,
    'node-soap': startNodeSoap,
  },
  cases: [
    {
      name: `POST ${path} (Add)`,
      requests: { 'practice-api': call, 'node-soap': call },
      check(status, body) {
        assert.equal(status, 200);
        assert.match(body, /<(?:tns:)?AddResult>5<\/(?:tns:)?AddResult>/);
      },
    },
  ],
};

async function startNodeSoap() {
  const service = await createService();
  const wsdl = await (await fetch(`${service.url}${path}?wsdl`)).text();
  await service.close();
  const server = createServer((_request, response) => {
    response.writeHead(404).end();
  });
  const url = await listenOnLoopback(server);
  /** @param {{intA: number, intB: number}} args */
  const Add = ({ intA, intB }) => ({ AddResult: intA + intB });
  listen(server, {
    path,
    services: { Calculator: { CalculatorSoap: { Add }, CalculatorSoap12: { Add } } },
    xml: wsdl,
    suppressStack: true,
  });
  return url;
}

/**
 * Adding two numbers beside the same by hand, which looks for the numbers and parses no XML, and the server of
 * node-soap, which is made from the same WSDL. The message is the same each time, as in most tests; ours is parsed
 * once, see docs/decisions/which-caches-earn-their-place.md.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { floor, startSoapFloor } from '../floors.js';
import { listenOnLoopback } from '../listen-on-loopback.js';
import { ourProgram } from '../our-program.js';

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
    'practice-api': ourProgram(),
    [floor]: startSoapFloor,
    'node-soap': startNodeSoap,
  },
  cases: [
    {
      name: `POST ${path} (Add)`,
      requests: { 'practice-api': call, [floor]: call, 'node-soap': call },
      check(status, body) {
        assert.equal(status, 200);
        assert.match(body, /<(?:tns:)?AddResult>5<\/(?:tns:)?AddResult>/);
      },
    },
  ],
};

/** @param {string} ourUrl */
async function startNodeSoap(ourUrl) {
  const { listen } = await import('soap');
  const wsdl = await (await fetch(`${ourUrl}${path}?wsdl`)).text();
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

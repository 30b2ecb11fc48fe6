/**
 * Adds two numbers, compared with a handler that searches the numbers without parsing XML, and with
 * the server of node-soap with the same WSDL. The message is the same each time, as in most tests;
 * this service parses it once, see docs/decisions/which-mechanisms-for-speed-earn-their-place.md.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { importPeer, listenOnLoopback } from '../../harness/peers.js';
import { isOk, ours, sameCase } from '../cases.js';
import { fetchOurs, floor, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const path = '/api/soap/calculator';
const type = 'text/xml; charset=utf-8';
const soap = 'xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"';

/** A message of node-soap's client. */
export const add = {
  method: 'POST',
  path,
  headers: { 'content-type': type, soapaction: '"http://tempuri.org/Add"' },
  body: `<?xml version="1.0" encoding="utf-8"?><soap:Envelope ${soap} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:tns="http://tempuri.org/"><soap:Body><Add xmlns="http://tempuri.org/"><intA>2</intA><intB>3</intB></Add></soap:Body></soap:Envelope>`,
};

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    [floor]: (ourUrl) => startFloor(ourUrl, calculate, `${path}?wsdl`),
    'node-soap': startNodeSoap,
  },
  cases: [
    sameCase(
      `POST ${path} (Add)`,
      add,
      [ours, floor, 'node-soap'],
      isOk((body) => assert.match(body, /<(?:tns:)?AddResult>5<\/(?:tns:)?AddResult>/)),
    ),
  ],
};

const call = /<(\w+) xmlns="http:\/\/tempuri\.org\/">\s*<intA>(-?\d+)<\/intA>\s*<intB>(-?\d+)</;

/** @type {import('../floors.js').Handle} */
function calculate(_request, sent) {
  const [, operation, a, b] = call.exec(sent) ?? [];
  if (operation !== 'Add') return undefined;
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope ${soap}><soap:Body><AddResponse xmlns="http://tempuri.org/"><AddResult>${Number(a) + Number(b)}</AddResult></AddResponse></soap:Body></soap:Envelope>`;
  return { type, body, headers: { 'cache-control': 'no-store' } };
}

/** @param {string} ourUrl */
async function startNodeSoap(ourUrl) {
  const { listen } = await importPeer('soap');
  const { text: xml } = await fetchOurs(ourUrl, { path: `${path}?wsdl` });
  const server = createServer((_request, response) => {
    response.writeHead(404).end();
  });
  const url = await listenOnLoopback(server);
  /** @param {{intA: number, intB: number}} args */
  const Add = ({ intA, intB }) => ({ AddResult: intA + intB });
  listen(server, {
    path,
    services: { Calculator: { CalculatorSoap: { Add }, CalculatorSoap12: { Add } } },
    xml,
    suppressStack: true,
  });
  return url;
}

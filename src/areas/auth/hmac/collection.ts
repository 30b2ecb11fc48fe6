/** Requests signed with HMAC, in exported request collections. */

import {
  type Flow,
  type FlowRequest,
  jsonText,
  type RequestCollection,
} from '#kit/request-collection.js';

const signed = (text: string): FlowRequest => ({
  ...jsonText(text),
  headers: {
    'Content-Type': 'application/json',
    'X-Timestamp': '{{signedAt}}',
    'X-Signature': '{{signature}}',
  },
});

const flow: Flow = {
  title: 'HMAC',
  description: 'A signed body, and another body with the same signature.',
  steps: [
    {
      id: 'hmacSigned',
      title: 'A signed body',
      operationId: 'postAuthHmac',
      request: signed('{"event": "paid"}'),
      status: 200,
      needsScripts: true,
      before: `const { HmacSHA256 } = require('crypto-js');
const signedAt = String(Math.floor(Date.now() / 1000));
const signed = signedAt + '.' + pm.request.body.raw;
const signature = HmacSHA256(signed, pm.variables.get('hmacSecret')).toString();
pm.collectionVariables.set('signedAt', signedAt);
pm.collectionVariables.set('signature', signature);`,
      tests: `pm.test('the response has the signed timestamp', () => {
  pm.expect(String(pm.response.json().timestamp)).to.eql(pm.variables.get('signedAt'));
});`,
    },
    {
      id: 'hmacRefused',
      title: 'Another body with the same signature',
      operationId: 'postAuthHmac',
      request: signed('{"event": "refunded"}'),
      status: 401,
      needsScripts: true,
      tests: `pm.test('the signature is wrong', () => {
  pm.expect(pm.response.json().message).to.include('The signature is wrong');
});`,
    },
  ],
};

/** Signs the body of the request. */
const sign = `const { HmacSHA256 } = require('crypto-js');
const timestamp = String(Math.floor(Date.now() / 1000));
const signed = timestamp + '.' + filled(pm.request.body.raw);
const signature = HmacSHA256(signed, pm.variables.get('hmacSecret')).toString();
variables.set('hmacTimestamp', timestamp);
variables.set('hmacSignature', signature);`;

export const hmacCollection: RequestCollection = {
  adaptations: {
    postAuthHmac: {
      headers: { 'X-Timestamp': '{{hmacTimestamp}}', 'X-Signature': '{{hmacSignature}}' },
    },
  },
  scripts: { hmacSignature: sign },
  leftOutOfFile: { postAuthHmac: 'An .http file cannot compute a signature.' },
  flows: [flow],
};

/** Parses and verifies the examples of RFC 7616 section 3.9. */

import { expect, test } from 'vitest';
import { isFault } from '../credentials/fault.js';
import { computeResponse } from './compute-response.js';
import { digestHash } from './digest-algorithm.js';
import { parseDigest } from './parse-digest.js';

function unfolded(header: string): string {
  return header.replace(/\n\s+/g, ' ');
}

const mufasa = (algorithm: string, response: string) => `Digest username="Mufasa",
    realm="http-auth@example.org",
    uri="/dir/index.html",
    algorithm=${algorithm},
    nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
    nc=00000001,
    cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
    qop=auth,
    response="${response}",
    opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;

/** Uses name and response of erratum 4897, because the RFC computed them with another hash. */
const jason = (username: string) => `Digest ${username},
    realm="api@example.org",
    uri="/doe.json",
    algorithm=SHA-512-256,
    nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
    nc=00000001,
    cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
    qop=auth,
    response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
    opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"`;

const userhash = '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b';

test.each([
  {
    name: 'section 3.9.1 with MD5',
    header: mufasa('MD5', '8ca523f5e9506fed4657c9700eebdbec'),
    username: 'Mufasa',
    password: 'Circle of Life',
  },
  {
    name: 'section 3.9.1 with SHA-256',
    header: mufasa('SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'),
    username: 'Mufasa',
    password: 'Circle of Life',
  },
  {
    name: 'section 3.9.2 with a hashed name',
    header: `${jason(`username="${userhash}"`)},\n    userhash=true`,
    username: 'J\u00e4s\u00f8n Doe',
    password: 'Secret, or not?',
  },
  {
    name: 'section 3.9.2 with an extended name',
    header: `${jason("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe")},\n    userhash=false`,
    username: 'J\u00e4s\u00f8n Doe',
    password: 'Secret, or not?',
  },
])('$name', ({ header, username, password }) => {
  const offer = { algorithms: ['SHA-512-256', 'SHA-256', 'MD5'], qops: ['auth'] } as const;
  const given = parseDigest(unfolded(header), offer);
  if (isFault(given)) throw new Error(given.fault);
  const { algorithm, realm, isUsernameHashed } = given;
  const name = isUsernameHashed ? digestHash(algorithm, `${username}:${realm}`) : username;
  expect(given.username).toBe(name);
  expect(computeResponse({ ...given, username, password, method: 'GET' })).toBe(given.response);
});

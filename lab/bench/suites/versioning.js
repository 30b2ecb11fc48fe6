/**
 * The profile in the latest and in a deprecated version, compared with the same by hand, and the latest with programs
 * that return recorded responses.
 */

import assert from 'node:assert/strict';
import { isJson, ours, sameCase } from '../cases.js';
import { fetchOurs, floor, parseTarget, startFloor } from '../floors.js';
import { mockServer, wireMock } from '../java-mocks.js';
import { mockoon } from '../mockoon.js';
import { ourProgram } from '../programs.js';

const path = '/api/versioned/profile';
const latest = { path };
const deprecated = { path, headers: { 'x-api-version': '1' } };

/** @param {{displayName: string, apiVersion: string}} profile */
const isLatest = ({ displayName, apiVersion }) =>
  assert.deepEqual([displayName, apiVersion], ['Maya Okafor', '2']);
/** @param {{name: string}} profile */
const isDeprecated = ({ name }) => assert.equal(name, 'Maya Okafor');

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    [floor]: startProfiles,
    'Mockoon CLI': mockoon,
    WireMock: wireMock(path),
    MockServer: mockServer(path),
  },
  cases: [
    sameCase(
      `GET ${path}`,
      latest,
      [ours, floor, 'Mockoon CLI', 'WireMock', 'MockServer'],
      isJson(isLatest),
    ),
    sameCase(`GET ${path}, X-API-Version: 1`, deprecated, [ours, floor], isJson(isDeprecated)),
  ],
};

/** @param {string} ourUrl */
async function startProfiles(ourUrl) {
  const [v1, v2] = [await fetchOurs(ourUrl, deprecated), await fetchOurs(ourUrl, latest)];
  const profiles = { 1: JSON.parse(v1.text), 2: JSON.parse(v2.text) };
  return startFloor(ourUrl, ({ url = '', headers }) => {
    const { path: requested, query } = parseTarget(url);
    if (requested !== path) return undefined;
    const version = (headers['x-api-version'] ?? query.get('api-version')) === '1' ? 1 : 2;
    const body = JSON.stringify(profiles[version]);
    return { body, headers: (version === 1 ? v1 : v2).headers };
  });
}

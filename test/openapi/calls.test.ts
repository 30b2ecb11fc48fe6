/**
 * Calls every operation with valid and invalid input, and compares every response with the
 * description.
 */

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/describe/openapi/json.js';
import {
  type RecordedCall,
  type RecordedCalls,
  recordedCallsFile,
} from '../../src/describe/openapi/recorded-calls.js';
import { isZstdThere } from '../../src/http/codings/encode-body.js';
import { useService } from '../support/service.js';
import { isAlikeAnother } from './alike.js';
import { Caller, type MadeCall, recorded } from './caller.js';
import { maxAccounts } from './calls/accounts.js';
import { Contract } from './contract.js';
import { makeCalls } from './make-calls.js';
import { nowMs } from './now.js';

const key = 'a key that is the same whenever calls are recorded';
const keys = { jwtKey: key, nonceKey: key, httpbinKey: key, cursorKey: key };
const service = useService({ now: () => nowMs, ...keys, maxAccounts, tls: true });

let contract: Contract;
let calls: readonly MadeCall[];
beforeAll(async () => {
  contract = new Contract((await service.send('GET /openapi.json?formats=all')).json);
  calls = await makeCalls(new Caller(service.url, contract.addresses, service.tlsUrl), contract);
}, 120_000);

const titleOf = ({ operationId, name, response }: MadeCall) =>
  `${operationId}, ${name} → ${response.status}`;

/** Every violation in the calls, with its place. */
function breaches(find: (call: MadeCall) => readonly string[]): string[] {
  return calls.flatMap((call) => find(call).map((breach) => `${titleOf(call)}: ${breach}`));
}

test('every response is as described: status, headers and body', () => {
  expect(
    breaches(({ operationId, otherMethod, response }) =>
      contract.breachesOfResponse(operationId, response, otherMethod),
    ),
  ).toEqual([]);
});

test('every accepted request is as described: parameters, headers and body', () => {
  const taken = (call: MadeCall) => call.response.status < 300;
  expect(breaches((call) => (taken(call) ? contract.breachesOfRequest(call) : []))).toEqual([]);
});

/** Another spelling of the path gets it; calls are to the described path. */
const ofOtherSpelling = [
  'getOidcWellKnownOpenidConfiguration 404',
  'getWellKnownOauthAuthorizationServerOidc 404',
  'getWellKnownOauthProtectedResourceOidcApi 404',
  'getOidcApiMe 308',
  'getOidcApiOrders 308',
];

test('some call gets every status that is described', () => {
  const seen = new Set(
    calls.map(({ operationId, response }) => `${operationId} ${response.status}`),
  );
  const described = [...contract.operations].flatMap(([operationId, { operation }]) =>
    Object.keys(operation.responses as JsonObject)
      .filter((status) => status !== 'default')
      // Two collections get a thousand records, until one more is rejected.
      .filter(
        (status) => status !== '409' || !ofCollection(operationId) || fullOnes.test(operationId),
      )
      .map((status) => `${operationId} ${status}`),
  );
  expect(described.filter((each) => !seen.has(each)).sort()).toEqual(ofOtherSpelling.sort());
});

const fullOnes = /^post(?:Events|Books)$/;
const ofCollection = (operationId: string) =>
  isAlikeAnother(operationId) ||
  /(?:Events|Books|Posts|Jobs)(?:ById)?|MyBy|^getMy/.test(operationId);

/**
 * Responses that are alike for all collections have an example with one of them, and other formats
 * than JSON with `getBooks`.
 */
function isExemplifiedElsewhere(operationId: string, status: string, type: string): boolean {
  // A URL that is too long is too long for an example.
  if (status === '414') return true;
  const isOfClass = /ClassesById/.test(operationId) && operationId !== 'getClassesById';
  if (isOfClass && ['401', '404'].includes(status)) return true;
  if (!ofCollection(operationId)) return false;
  if (isAlikeAnother(operationId) && operationId.startsWith('patch')) return true;
  const isJson = type === 'application/json';
  if (!isJson) return !/^getBooks(?:ById)?$/.test(operationId) || status !== '200';
  return (
    status >= '400' &&
    (isAlikeAnother(operationId) || ['406', '409', '413', '415'].includes(status))
  );
}

/**
 * The description would contain itself or the collections generated from it, and file names in the
 * editor's page change.
 */
const noExamples = [
  ...ofOtherSpelling
    .filter((each) => each.endsWith('404'))
    .map((each) => `${each} application/json`),
  // Only TRACE gets it, which POST stands for.
  'postMethodsAny 200 message/http',
  'getSandboxRequests 200 application/json',
  'getSandboxRequests 200 application/har+json',
  'getClassesByIdPupilsByPupilRequests 200 application/json',
  'getClassesByIdPupilsByPupilRequests 200 application/har+json',
  // The board lists all challenges, which is too long.
  'getClassesById 200 application/json',
  // Below the address of a pupil.
  'getClassesMe 200 application/json',
  'getClassesRanking 200 application/json',
  'getClassesMe 404 application/json',
  'postClasses 403 application/json',
  'getClassesRanking 404 application/json',
  'putSandboxRecording 409 application/json',
  'putSandboxBugs 409 application/json',
  'deleteSandboxBugs 409 application/json',
  // Tokens differ each time.
  'getBooksChanges 200 application/json',
  'getBooksChanges 410 application/json',
  'getOpenapiJson 200 application/json',
  'getOpenapiYaml 200 application/yaml',
  'getDownloadsPracticeApiPostmanCollectionJson 200 application/json',
  'getDownloadsPracticeApiHttp 200 text/plain',
  'getGraphql 200 text/html',
  'getIndex 200 text/html',
  // Each differs, and an endless stream is cut.
  'postWsTickets 201 application/json',
  'getSseChanges 200 text/event-stream',
  'getApi 200 application/json',
  'postOidcPar 201 application/json',
  'postOidcDeviceAuthorization 200 application/json',
  'getOidcDevice 200 text/html',
  'postOidcTestPlanRuns 201 application/json',
  'getOidcTestPlanRunsByRun 200 application/json',
  'putOidcTestPlanRunsByRunByMisbehaviour 200 application/json',
  // The ports differ each time.
  'getHttpConnection 200 application/json',
  'getTls 200 application/json',
  'getMcp 200 text/html',
  'getTls 200 text/html',
  'getHttpRedirectOtherPort 302 application/json',
  // Generated at each start.
  'getTlsByFile 200 application/x-pem-file',
  'getTlsByFile 200 application/x-pkcs12',
  'getTlsByFile 200 application/pkix-crl',
  'getTlsClientByFile 200 application/x-pem-file',
  'getTlsClientByFile 200 application/x-pkcs12',
  'getAuthMtls 200 application/json',
  'getAuthMtls 401 application/json',
  'getOidcJwks 200 application/json',
  'postOidcKeysRotate 200 application/json',
  'postOidcKeysRotate 409 application/json',
  'getOidcAuthorize 200 text/html',
  'getOidcLogout 200 text/html',
  'postOidcAuthorize 200 text/html',
  'postOidcLogout 200 text/html',
  'getAuthSession 200 text/html',
  'getAuthSessionCsrf 200 application/json',
  'getAuthPasskeys 200 text/html',
  // A browser signs with a new key.
  'postAuthPasskeysRegisterVerify 201 application/json',
  'postAuthPasskeysRegisterVerify 409 application/json',
  'postAuthPasskeysLoginVerify 200 application/json',
  'postAuthPasskeysLoginVerify 401 application/json',
  // Bytes that are not text, and lists that depend on the version of Node.
  'getHttpFormats 200 application/vnd.msgpack',
  'getHttpFormats 200 application/cbor',
  'getHttpFormatsByFormat 200 application/vnd.msgpack',
  'getHttpFormatsByFormat 200 application/cbor',
  'postHttpDecode 415 application/json',
  // It contains the version of Node.
  ...(isZstdThere ? [] : ['getHttpEncodingByCoding 406 application/json']),
  // Images, compressed bytes, and values that differ each time.
  'getHttpbinCache 200 application/json',
  'getHttpbinGzip 200 application/json',
  'getHttpbinDeflate 200 application/json',
  'getHttpbinBrotli 200 application/json',
  'getHttpbinImage 200 */*',
  'getHttpbinImagePng 200 image/png',
  'getHttpbinImageJpeg 200 image/jpeg',
  'getHttpbinImageWebp 200 image/webp',
  'getHttpbinBytesByN 200 application/octet-stream',
  'getHttpbinStreamBytesByN 200 application/octet-stream',
  'getHttpbinUuid 200 application/json',
  // The calculator has one, and it is long.
  'getSoapSecure 200 text/xml',
  // Empty, as in the calculator.
  'optionsHttpbinDelete 200 text/html',
  'optionsHttpbinGet 200 text/html',
  'optionsHttpbinPatch 200 text/html',
  'optionsHttpbinPost 200 text/html',
  'optionsHttpbinPut 200 text/html',
  // Times and ids, streams, and long lists.
  'postLlmOpenaiV1ChatCompletions 404 application/json',
  'postLlmOpenaiV1Responses 404 application/json',
  'postLlmAnthropicV1Messages 401 application/json',
  'postLlmAnthropicV1Messages 404 application/json',
  'postLlmAnthropicV1Messages 413 application/json',
  'postLlmAnthropicV1Messages 415 application/json',
  'postLlmAnthropicV1Messages 400 application/json',
  'postLlmGeminiV1betaModelsByModelGenerateContent 200 application/json',
  'postLlmGeminiV1betaModelsByModelGenerateContent 401 application/json',
  'postLlmGeminiV1betaModelsByModelGenerateContent 403 application/json',
  'postLlmGeminiV1betaModelsByModelStreamGenerateContent 200 application/json',
  'postLlmGeminiV1betaModelsByModelStreamGenerateContent 200 text/event-stream',
  'postLlmGeminiV1betaModelsByModelStreamGenerateContent 401 application/json',
  'postLlmGeminiV1betaModelsByModelStreamGenerateContent 403 application/json',
  'postLlmOllamaApiChat 200 application/json',
  'postLlmOllamaApiChat 200 application/x-ndjson',
  'postLlmOllamaApiChat 404 application/json',
  'postLlmOllamaApiGenerate 200 application/json',
  'postLlmOllamaApiGenerate 200 application/x-ndjson',
  'postLlmOllamaApiGenerate 404 application/json',
  'getLlm 200 application/json',
  'getLlm 200 text/html',
  'getGrpc 200 text/html',
  'getPayments 200 application/json',
  'getPayments 200 text/html',
  'getVerdicts 200 application/json',
  'getVerdicts 200 text/html',
  'postLlmOpenaiV1ChatCompletions 200 application/json',
  'postLlmOpenaiV1ChatCompletions 200 text/event-stream',
  'postLlmOpenaiV1Responses 200 application/json',
  'postLlmOpenaiV1Responses 200 text/event-stream',
  'postLlmAnthropicV1Messages 200 application/json',
  'postLlmAnthropicV1Messages 200 text/event-stream',
  'postWebhooksReceiverPlanRuns 201 application/json',
  'getWebhooksReceiverPlanRunsByRun 200 application/json',
  'putWebhooksReceiverPlanRunsByRunByCase 200 application/json',
  'getHttp2Findings 200 application/json',
  'getMcpTestPlan 200 application/json',
  'postMcpTestPlanRuns 201 application/json',
  'getMcpTestPlanRunsByRun 200 application/json',
  'putMcpTestPlanRunsByRunByName 200 application/json',
  'postMcp 200 text/event-stream',
  'getMcp 200 text/event-stream',
  'getMcpSse 200 text/event-stream',
];

test('every body that is described has an example', () => {
  const without: string[] = [];
  for (const [operationId, { operation }] of contract.operations) {
    for (const [status, response] of Object.entries(operation.responses as JsonObject)) {
      if (status === 'default') continue;
      const { content = {} } = contract.resolve<JsonObject & { content?: JsonObject }>(response);
      for (const [type, media] of Object.entries(content)) {
        if (isExemplifiedElsewhere(operationId, status, type)) continue;
        if ((media as JsonObject).examples === undefined)
          without.push(`${operationId} ${status} ${type}`);
      }
    }
  }
  expect(noExamples.filter((each) => !without.includes(each))).toEqual([]);
  expect(without.filter((each) => !noExamples.includes(each))).toEqual([]);
});

test('every operation has an accepted call', () => {
  const taken = new Set(
    calls.filter(({ response }) => response.status < 400).map((call) => call.operationId),
  );
  const failing = ['getHttpFormatsProblem'];
  const untaken = [...contract.operations.keys()].filter((id) => !taken.has(id));
  expect(untaken).toEqual(failing);
});

test('the calls are those that are recorded in the package', async () => {
  const byOperation: Record<string, RecordedCall[]> = {};
  for (const call of calls) {
    const kept = recorded(call);
    if (kept === undefined) continue;
    byOperation[call.operationId] ??= [];
    byOperation[call.operationId]?.push(kept);
  }
  await expect(linesOf(byOperation)).toMatchFileSnapshot(
    fileURLToPath(new URL(`../../${recordedCallsFile}`, import.meta.url)),
  );
});

/** JSON in the order of names, with a line for each call, so that diffs show the changed ones. */
function linesOf(calls: RecordedCalls): string {
  const sorted = Object.entries(calls).sort(([a], [b]) => (a < b ? -1 : 1));
  const operations = sorted.map(([operationId, each]) => {
    const lines = each.map((call) => JSON.stringify(call));
    return `${JSON.stringify(operationId)}: [\n${lines.join(',\n')}\n]`;
  });
  // Positions in the log of deliveries begin with the real time, which also signs them.
  return `{\n${operations.join(',\n')}\n}\n`
    .replace(/\bdlv_\d{16}_/g, 'dlv_1796000000000000_')
    .replace(/(?<="ms":12,"at":")[^"]+/g, '2026-11-30T09:00:00.000Z')
    .replace(/(?<="webhook-timestamp":")\d+/g, '1796000000')
    .replace(/(?<="webhook-signature":")v1,[^"]+/g, `v1,${'A'.repeat(43)}=`);
}

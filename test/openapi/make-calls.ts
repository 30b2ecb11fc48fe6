/** All calls: from the tables, and from the generic requests for each kind of operation. */

import type { JsonObject } from '../../src/describe/openapi/json.js';
import type { Caller, CallRequest, MadeCall } from './caller.js';
import { callAccounts } from './calls/accounts.js';
import { callAuth } from './calls/auth.js';
import { callBins } from './calls/bins.js';
import { callBugs } from './calls/bugs.js';
import { callChallenges } from './calls/challenges.js';
import { callClasses } from './calls/classes.js';
import { callGraphql } from './calls/graphql.js';
import { callHttpCaching } from './calls/http-caching.js';
import { callHttpCookies } from './calls/http-cookies.js';
import { callHttpExpect } from './calls/http-expect.js';
import { callHttpRedirects } from './calls/http-redirects.js';
import { callHttpRespond } from './calls/http-respond.js';
import { callHttpResumable } from './calls/http-resumable.js';
import { callHttpUploads } from './calls/http-uploads.js';
import { callHttpbin } from './calls/httpbin.js';
import { callJsonServer } from './calls/json-server.js';
import { callLlm } from './calls/llm.js';
import { callPasskeys, callSession, callSignatures } from './calls/logins.js';
import { callMcp } from './calls/mcp.js';
import { callOidc } from './calls/oidc.js';
import { callOwnData } from './calls/own-data.js';
import { callPatterns } from './calls/patterns.js';
import { callEvents, callJsonRpc, callSockets } from './calls/realtime.js';
import { callResources } from './calls/resources.js';
import { callSite } from './calls/site.js';
import { callRateLimit, callSandbox } from './calls/small-areas.js';
import { callSoap } from './calls/soap.js';
import { callTls } from './calls/tls.js';
import type { Contract } from './contract.js';
import { sendExamples } from './endpoint-examples.js';

const tables = [
  callSite,
  callGraphql,
  callHttpbin,
  callHttpRespond,
  callHttpRedirects,
  callHttpCookies,
  callHttpCaching,
  callHttpExpect,
  callHttpResumable,
  callHttpUploads,
  callAuth,
  callOidc,
  callSession,
  callSignatures,
  callPasskeys,
  callResources,
  callOwnData,
  callJsonServer,
  callPatterns,
  callRateLimit,
  callSoap,
  callBins,
  callChallenges,
  callClasses,
  callEvents,
  callSockets,
  callJsonRpc,
  callMcp,
  callLlm,
  callTls,
  callSandbox,
  callBugs,
  callAccounts,
];

const mebibyte = 1024 * 1024;

/**
 * The way to get a status from an operation whose table lacks it, if all operations behave alike.
 */
const usualCalls: readonly (readonly [status: string, name: string, request: CallRequest])[] = [
  ['400', 'A malformed sandbox name', { headers: { 'X-Sandbox': 'not a name' } }],
  ['413', 'Too large a body', { announcedBytes: 10 * mebibyte + 1 }],
  ['414', 'Too long a URL', { query: { q: 'a'.repeat(3000) } }],
  ['415', 'Another Content-Type', { type: 'text/plain', body: 'Hello' }],
];

export async function makeCalls(caller: Caller, contract: Contract): Promise<readonly MadeCall[]> {
  await sendExamples(caller);
  for (const makeTheirs of tables) await makeTheirs(caller);
  for (const [operationId, { operation }] of contract.operations) {
    const made = caller.made.filter((call) => call.operationId === operationId);
    for (const [status, name, request] of usualCalls) {
      const isSeen = made.some(({ response }) => String(response.status) === status);
      const isDescribed = Object.hasOwn(operation.responses as JsonObject, status);
      const isMade = made.some((call) => call.name === name);
      if (!isDescribed || isMade || (isSeen && status !== '400')) continue;
      const [like] = made;
      const { path } = like?.request ?? {};
      const isPosted = status === '413' && operation.requestBody !== undefined;
      await caller.call(operationId, name, {
        ...(path && { path }),
        ...(isPosted && { type: 'application/json' }),
        ...request,
      });
    }
  }
  return caller.made;
}

/** All calls: from the examples of endpoints, from the tables, and those that are rejected alike. */

import type { Caller, MadeCall } from './caller.js';
import { callAccounts } from './calls/accounts.js';
import { callAuth } from './calls/auth.js';
import { callBins } from './calls/bins.js';
import { callClasses } from './calls/classes.js';
import { callDeliveries } from './calls/deliveries.js';
import { callFaultLog } from './calls/fault-log.js';
import { callGraphql } from './calls/graphql.js';
import { callHttpCookies } from './calls/http-cookies.js';
import { callHttpRedirects } from './calls/http-redirects.js';
import { callHttpResumable } from './calls/http-resumable.js';
import { callHttpUploads } from './calls/http-uploads.js';
import { callHttpbinDigest } from './calls/httpbin-digest.js';
import { callJsonServer } from './calls/json-server.js';
import { callPasskeys, callSession, callSignatures } from './calls/logins.js';
import { callMcp } from './calls/mcp.js';
import { callOidc } from './calls/oidc.js';
import { callOwnData } from './calls/own-data.js';
import { callPatterns } from './calls/patterns.js';
import { callEvents, callJsonRpc, callSockets } from './calls/realtime.js';
import { callResources } from './calls/resources.js';
import { callSite } from './calls/site.js';
import { callSoap } from './calls/soap.js';
import { callTls } from './calls/tls.js';
import type { Contract } from './contract.js';
import { makePageCalls, makeRejectedCalls, makeUsualCalls } from './derived-calls.js';
import { sendExamples } from './endpoint-examples.js';

const tables = [
  callSite,
  callFaultLog,
  callGraphql,
  callHttpbinDigest,
  callHttpRedirects,
  callHttpCookies,
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
  callSoap,
  callBins,
  callDeliveries,
  callClasses,
  callEvents,
  callSockets,
  callJsonRpc,
  callMcp,
  callTls,
  callAccounts,
];

export async function makeCalls(caller: Caller, contract: Contract): Promise<readonly MadeCall[]> {
  caller.onAccepted = (call) => makeRejectedCalls(caller, contract, call);
  await sendExamples(caller);
  for (const makeTheirs of tables) await makeTheirs(caller);
  await makeUsualCalls(caller, contract);
  await makePageCalls(caller, contract);
  return caller.made;
}

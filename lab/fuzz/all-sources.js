import { describedRequests } from './sources/described-requests.js';
import { graphqlRequests } from './sources/graphql-requests.js';
import { malformedHttp } from './sources/malformed-http.js';
import { misusedConnections } from './sources/misused-connections.js';
import { soapMessages } from './sources/soap-messages.js';

/**
 * Every source and how much of it, one to another.
 *
 * @returns {[import('./run-fuzz.js').Source, number][]}
 */
export function allSources() {
  return [
    [describedRequests(), 55],
    [graphqlRequests(), 20],
    [soapMessages(), 15],
    [malformedHttp(), 10],
    [misusedConnections(), 5],
  ];
}

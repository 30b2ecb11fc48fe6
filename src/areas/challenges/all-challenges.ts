/** Every challenge, by track. */

import type { Challenge } from './challenge.js';
import { authenticationTrack } from './tracks/authentication.js';
import { graphqlTrack } from './tracks/graphql.js';
import { grpcTrack } from './tracks/grpc.js';
import { httpTrack } from './tracks/http.js';
import { oidcTrack } from './tracks/oidc.js';
import { paymentsTrack } from './tracks/payments.js';
import { resilienceTrack } from './tracks/resilience.js';
import { restTrack } from './tracks/rest.js';
import { soapTrack } from './tracks/soap.js';
import { streamsTrack } from './tracks/streams.js';
import { webhooksTrack } from './tracks/webhooks.js';

export const challenges: readonly Challenge[] = [
  ...httpTrack,
  ...restTrack,
  ...authenticationTrack,
  ...oidcTrack,
  ...graphqlTrack,
  ...soapTrack,
  ...webhooksTrack,
  ...streamsTrack,
  ...grpcTrack,
  ...paymentsTrack,
  ...resilienceTrack,
];

const byId = new Map(challenges.map((each) => [each.id, each]));

export function findChallenge(id: string): Challenge | undefined {
  return byId.get(id);
}

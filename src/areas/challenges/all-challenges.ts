/** Every challenge, by track. */

import type { Challenge } from './challenge.js';
import { authenticationTrack } from './tracks/authentication.js';
import { httpTrack } from './tracks/http.js';
import { oidcTrack } from './tracks/oidc.js';
import { restTrack } from './tracks/rest.js';

export const challenges: readonly Challenge[] = [
  ...httpTrack,
  ...restTrack,
  ...authenticationTrack,
  ...oidcTrack,
];

const byId = new Map(challenges.map((each) => [each.id, each]));

export function findChallenge(id: string): Challenge | undefined {
  return byId.get(id);
}

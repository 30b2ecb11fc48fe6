/** Every challenge, by track. */

import type { Challenge } from './challenge.js';
import { httpTrack } from './tracks/http.js';
import { restTrack } from './tracks/rest.js';

export const challenges: readonly Challenge[] = [...httpTrack, ...restTrack];

const byId = new Map(challenges.map((each) => [each.id, each]));

export function findChallenge(id: string): Challenge | undefined {
  return byId.get(id);
}

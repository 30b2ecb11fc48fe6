/** Needs of areas and what other areas offer. */

import { expect, test } from 'vitest';
import type { Area } from '../../src/kit/area.js';
import {
  enterByKeyToken,
  findPupilToken,
  fixedHeadersToken,
  ownHostToken,
  ownPathsToken,
  ownPortToken,
  rawPathToken,
  rawPortToken,
  rewriterToken,
  shapeRejectionToken,
  tutorialHintToken,
} from '../../src/kit/offers/entries.js';
import { importedFileToken, presetToken } from '../../src/kit/offers/front-page.js';
import { observerToken } from '../../src/kit/recording/exchange-record.js';
import { areas } from '../../src/service.js';

const all: readonly Area[] = areas;
const offersOf = ({ offers = [] }: Area) => offers.map(({ token }) => token);

const ofService = [
  ...[
    enterByKeyToken,
    findPupilToken,
    fixedHeadersToken,
    ownHostToken,
    ownPathsToken,
    ownPortToken,
    rawPathToken,
    rawPortToken,
    rewriterToken,
    shapeRejectionToken,
    tutorialHintToken,
  ],
  ...[importedFileToken, presetToken],
  observerToken,
];

test('another area offers what an area needs', () => {
  const missing = all.flatMap((area) =>
    (area.needs ?? [])
      .filter((need) => !all.some((other) => other !== area && offersOf(other).includes(need)))
      .map(({ name }) => `${area.name}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('another area or the service needs what an area offers', () => {
  const isNeeded = (area: Area, token: object) =>
    all.some((other) => other !== area && other.needs?.some((need) => need === token)) ||
    ofService.some((each) => each === token);
  const unused = all.flatMap((area) =>
    offersOf(area)
      .filter((token) => !isNeeded(area, token))
      .map(({ name }) => `${area.name}: ${name}`),
  );
  expect(unused).toEqual([]);
});

/** The guide lists every bug. `npx vitest run test/docs/bugs.test.ts --update` writes the list. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';

const guide = '../../docs/explore-and-report.md';

test('the guide lists every bug, by area and level', async () => {
  const page = readFileSync(new URL(guide, import.meta.url), 'utf8');
  const areas = [...new Set(allDefects.map(({ area }) => area))];
  const lines = areas.flatMap((area) => [
    `**${area}**`,
    '',
    '| Level | Endpoints | Bug | Right |',
    '| --- | --- | --- | --- |',
    ...allDefects
      .filter((each) => each.area === area)
      .sort((one, other) => one.level.localeCompare(other.level))
      .map(({ level, endpoints, wrong, right }) => {
        const shown = endpoints.map((each) => `\`${each}\``).join(', ');
        return `| ${level} | ${shown} | ${wrong} | ${right} |`;
      }),
    '',
  ]);
  const [start, end] = ['<!-- bugs -->\n\n', '<!-- end of bugs -->'];
  const before = page.slice(0, page.indexOf(start) + start.length);
  const written = before + lines.join('\n') + page.slice(page.indexOf(end));
  await expect(written).toMatchFileSnapshot(guide);
});

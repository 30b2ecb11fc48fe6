/** The guide has the section of each rule that a client in its table breaks. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caseOf } from '../../src/areas/http2/cases/cases.js';

const guide = readFileSync(new URL('../../docs/test-an-http2-client.md', import.meta.url), 'utf8');

const rowsBetween = (begin: string, end: string) => {
  const [, rest = ''] = guide.split(begin);
  const [table = ''] = rest.split(end);
  return table.split('\n').filter((line) => line.startsWith('| ['));
};

const namesIn = (text: string) =>
  [...text.matchAll(/`([a-z][\w-]+)`/g)].map(([, name = '']) => name);

test('each rule that a client breaks has its sentence, with the section of its case', () => {
  const [, clients = ''] = guide.split('<!-- lab clients -->');
  const broken = (clients.split('<!-- end of lab clients -->')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `') && /broken|against advice/.test(line))
    .flatMap((line) => namesIn(line).slice(0, 1));
  expect(broken.length).toBeGreaterThan(40);

  const rows = rowsBetween('<!-- rules of the table -->', '<!-- end of rules -->');
  const cited = new Map(
    rows.flatMap((row) => {
      const [link = '', , cases = ''] = row.split(' | ');
      return namesIn(cases).map((name) => [name, link] as const);
    }),
  );
  expect([...cited.keys()].sort()).toEqual([...broken].sort());
  for (const [name, link] of cited) {
    const [, standard, number] = /^\| \[RFC (\d+) ([\d.]+)\]/.exec(link) ?? [];
    expect(link).toContain(`https://www.rfc-editor.org/rfc/rfc${standard}#section-${number}`);
    expect([name, caseOf(name)?.section]).toEqual([
      name,
      expect.stringMatching(
        new RegExp(`^RFC ${standard} section ${number?.replaceAll('.', '\\.')},`),
      ),
    ]);
  }
});

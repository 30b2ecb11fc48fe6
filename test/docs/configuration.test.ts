/**
 * The page about settings is right: `npx vitest run test/docs/configuration.test.ts -u` writes its
 * table.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeSettings } from '../../src/config/config.js';
import { settings } from '../../src/program/run-program.js';

const page = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url));
const table = /(?<=<!-- settings -->\n)[\s\S]*(?=<!-- end of settings -->)/;

test('its table has exactly the settings of --help', async () => {
  const rows = describeSettings(settings).map((setting) => {
    const [flag = ''] = setting.flag.split(' ');
    const fallback = setting.default === undefined ? '' : `\`${setting.default}\``;
    return `| \`${flag}\` | \`${setting.variable}\` | ${setting.meaning.replaceAll('|', '\\|')} | ${fallback} |`;
  });
  const head = ['| Flag | Variable | Meaning | Default |', '| --- | --- | --- | --- |'];
  const text = readFileSync(page, 'utf8');
  expect(text).toMatch(table);
  const right = text.replace(table, () => `${[...head, ...rows].join('\n')}\n`);
  await expect(right).toMatchFileSnapshot(page);
});

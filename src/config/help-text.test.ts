import { expect, test } from 'vitest';
import { settings } from '#program/run-program.js';
import { variablesOf } from './config.js';
import { helpText } from './help-text.js';
import { settingGroups } from './setting.js';

const help = helpText(settings);
const lines = help.split('\n');

test('has at most 100 columns', () => {
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
});

test('begins with its use and six examples', () => {
  expect(lines.slice(2, 11)).toEqual([
    'Usage: practice-api [flags]',
    '',
    expect.stringMatching(/^ {2}practice-api --port 4000 +\w/),
    expect.stringMatching(/^ {2}practice-api --data db\.json --watch +\w/),
    expect.stringMatching(/^ {2}practice-api help faults +\w/),
    expect.stringMatching(/^ {2}practice-api listen --forward http:\S+ +\w/),
    expect.stringMatching(/^ {2}practice-api mcp --url http:\/\/localhost:3000\/mcp +\w/),
    expect.stringMatching(/^ {2}practice-api --port 0 .* +\w/),
    '',
  ]);
});

test('has every setting once, in groups, of which none is empty', () => {
  const flags = [...help.matchAll(/^ {2}--([\w-]+)/gm)].map(([, flag]) => flag);
  expect(flags.sort()).toEqual(
    Object.values(settings)
      .map(({ flag }) => flag)
      .sort(),
  );
  for (const title of Object.values(settingGroups)) {
    expect(lines[lines.indexOf(`${title}:`) + 1]).toMatch(/^ {2}--/);
  }
});

test('says how a variable is called, and which value is the default', () => {
  expect(help).toContain('--tls-port is TLS_PORT');
  expect(variablesOf(settings)).toContain('TLS_PORT');
  expect(help).toMatch(/--port <number> .*\[3000\]/);
  expect(help).toContain('[demo-admin-token,demo-user-token,demo-read-only-token]');
});

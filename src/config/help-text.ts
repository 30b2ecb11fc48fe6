/** The text of `--help`. */

import { describeSettings } from './config.js';
import { type SettingTable, settingGroups } from './setting.js';

const maxColumns = 100;

const examples = [
  ['practice-api --port 4000', 'listens on another port'],
  ['practice-api --data db.json --watch', 'serves your own data at /my'],
  ['practice-api help faults', 'explains a topic'],
  ['practice-api listen --forward http://localhost:8000/hook', 'brings webhooks to your receiver'],
  ['practice-api mcp --url http://localhost:3000/mcp', 'connects MCP clients by stdio'],
  ['practice-api --port 0 --ready-file ready.json --exit-with-stdin', 'is started by a test'],
] as const;

const otherFlags = [
  ['-h, --help', 'print this text and stop'],
  ['-v, --version', 'print the version and stop'],
] as const;

/** Returns the settings whose flag or meaning has a word; `undefined` if there are none. */
export function helpOfSettings(table: SettingTable, word: string): string | undefined {
  const asked = word.toLowerCase();
  const found = Object.entries(table).filter(
    ([, { flag, group }]) => flag.split('-').includes(asked) || flag === asked || group === asked,
  );
  if (found.length === 0) return undefined;
  const rows = rowsOf(Object.fromEntries(found));
  return ['Settings:', ...alignRows(rows, Math.max(...rows.map(([flag]) => flag.length)))].join(
    '\n',
  );
}

export function helpText(table: SettingTable): string {
  const groups = Object.entries(settingGroups).map(([group, title]) => {
    const ofGroup = Object.entries(table).filter(([, setting]) => setting.group === group);
    return { title, rows: rowsOf(Object.fromEntries(ofGroup)) };
  });
  const all = [...groups, { title: 'Other', rows: otherFlags }];
  const width = Math.max(...all.flatMap(({ rows }) => rows.map(([flag]) => flag.length)));
  return [
    'Practice API: a service to practise and test API clients.',
    '',
    'Usage: practice-api [flags]',
    '',
    ...alignRows(examples, Math.max(...examples.map(([command]) => command.length))),
    '',
    ...wrapWords(
      'Each flag is also an environment variable: --tls-port is TLS_PORT. The flag overrides it. Defaults are in [brackets].',
      maxColumns,
    ),
    ...all.flatMap(({ title, rows }) => ['', `${title}:`, ...alignRows(rows, width)]),
  ].join('\n');
}

function rowsOf(table: SettingTable): Row[] {
  return describeSettings(table).map((setting) => {
    const value = setting.default === undefined ? '' : ` [${setting.default}]`;
    return [setting.flag, setting.meaning + value];
  });
}

type Row = readonly [left: string, right: string];

/** Puts both columns beside each other, and breaks the right one into lines. */
function alignRows(rows: readonly Row[], width: number): string[] {
  return rows.flatMap(([left, right]) =>
    wrapWords(right, maxColumns - width - 4).map(
      (line, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${line}`,
    ),
  );
}

function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

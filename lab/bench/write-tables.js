/** Results as tables of Markdown. */

/** @typedef {{how: string, cases: import('./harness.js').CaseResult[]}} SuiteResult */
/** @typedef {{how: string, figures: [what: string, figure: string][]}} FigureResult */

/** @param {SuiteResult} result */
export function writeSuiteTable({ how, cases }) {
  return [
    `${how}.`,
    '',
    '| request | server | processor per request | theirs ÷ ours | spread | requests/s | ours ÷ theirs | spread | memory after load | first answer |',
    '| --- | --- | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |',
    ...cases.flatMap(({ name, scores, absent }) => [
      ...scores.map((score, index) => {
        const isOurs = index === 0;
        return row([
          name,
          score.contender,
          describe(score.processorMicroseconds, 1, ' µs'),
          isOurs ? '' : describe(score.processorRatio),
          isOurs ? '' : describeSpread(score.processorSpread),
          Math.round(score.requestsPerSecond).toLocaleString('en'),
          isOurs ? '' : describe(score.ratio),
          isOurs ? '' : describeSpread(score.spread),
          `${Math.round(score.residentMebibytes)} MiB`,
          `${Math.round(score.startMs)} ms`,
        ]);
      }),
      ...absent.map(({ contender, reason }) =>
        row([name, contender, `absent: ${reason}`, '', '', '', '', '', '', '']),
      ),
    ]),
  ].join('\n');
}

/**
 * Nothing of what the system did not tell.
 *
 * @param {number | null | undefined} value
 * @param {number} [digits]
 * @param {string} [unit]
 */
function describe(value, digits = 2, unit = '') {
  const isKnown = typeof value === 'number' && Number.isFinite(value);
  return isKnown ? value.toFixed(digits) + unit : '';
}

/** @param {readonly [number | null, number | null] | undefined} spread */
function describeSpread(spread) {
  return spread?.every((ratio) => describe(ratio) !== '')
    ? spread.map((ratio) => describe(ratio)).join('–')
    : '';
}

/** @param {FigureResult} result */
export function writeFigureTable({ how, figures }) {
  return [`${how}.`, '', '| what | figure |', '| --- | ---: |', ...figures.map(row)].join('\n');
}

/** @param {readonly string[]} cells */
function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/**
 * The text of the page with the table of that name in its place, or in a section at the end.
 *
 * @param {string} text
 * @param {string} name
 * @param {string} table
 */
export function replaceSection(text, name, table) {
  const begin = `<!-- bench ${name} -->`;
  const end = `<!-- end of bench ${name} -->`;
  const section = `${begin}\n${table}\n${end}`;
  const start = text.indexOf(begin);
  return start < 0
    ? `${text.trimEnd()}\n\n## ${name}\n\n${section}\n`
    : text.slice(0, start) + section + text.slice(text.indexOf(end) + end.length);
}

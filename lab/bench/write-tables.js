/** Results as tables of Markdown. */

/** @typedef {{how: string, cases: import('./harness.js').CaseResult[]}} SuiteResult */
/** @typedef {{how: string, figures: [what: string, figure: string][]}} FigureResult */

/** @param {SuiteResult} result */
export function writeSuiteTable({ how, cases }) {
  return [
    `${how}.`,
    '',
    '| request | server | requests/s | ours ÷ theirs | spread | processor per request | memory after load | first answer |',
    '| --- | --- | ---: | ---: | --- | ---: | ---: | ---: |',
    ...cases.flatMap(({ name, scores, absent }) => [
      ...scores.map((score, index) => {
        const isOurs = index === 0;
        return row([
          name,
          score.contender,
          Math.round(score.requestsPerSecond).toLocaleString('en'),
          isOurs ? '' : score.ratio.toFixed(2),
          isOurs ? '' : score.spread.map((ratio) => ratio.toFixed(2)).join('–'),
          describeCost(score.processorMicroseconds),
          `${Math.round(score.residentMebibytes)} MiB`,
          `${Math.round(score.startMs)} ms`,
        ]);
      }),
      ...absent.map(({ contender, reason }) =>
        row([name, contender, `absent: ${reason}`, '', '', '', '', '']),
      ),
    ]),
  ].join('\n');
}

/** @param {number | null | undefined} microseconds */
function describeCost(microseconds) {
  const isKnown = typeof microseconds === 'number' && Number.isFinite(microseconds);
  return isKnown ? `${microseconds.toFixed(1)} µs` : '';
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

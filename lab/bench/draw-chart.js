/**
 * Draws the results as an SVG 1.1 image. Each bar compares a server with this service on a
 * logarithmic scale, starting at equal speed.
 */

/**
 * @typedef {object} ChartSuite
 * @property {string} suite
 * @property {Pick<import('./run-suite.js').CaseResult, 'name' | 'scores'>[]} cases
 */

const width = 960;
const plotLeft = 300;
const plotRight = width - 76;
const rowHeight = 22;
const caseHeight = 30;
const suiteHeight = 42;
const headHeight = 96;
const axisHeight = 34;

const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** The colours follow the page around the image. */
const style = `
    text { font-family: -apple-system, "Segoe UI", "Liberation Sans", Helvetica, Arial, sans-serif; font-size: 13px; fill: #1f2328; }
    .title { font-size: 19px; font-weight: 600; }
    .suite { font-size: 15px; font-weight: 600; }
    .quiet { fill: #59636e; }
    .server { text-anchor: end; }
    .tick { text-anchor: middle; font-size: 12px; fill: #59636e; }
    .ground { fill: #ffffff; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .even { stroke: #1f2328; stroke-width: 1.5; }
    .faster { fill: #2f81c9; }
    .slower { fill: #c77d2b; }
    .spread { stroke: #1f2328; stroke-width: 1.5; fill: none; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .quiet, .tick { fill: #9aa4af; }
      .ground { fill: #0d1117; }
      .grid { stroke: #30363d; }
      .even, .spread { stroke: #e6edf3; }
    }
`;

/**
 * @param {readonly ChartSuite[]} suites The first score of each case is ours
 * @returns {string}
 */
export function drawChart(suites) {
  const compared = suites.flatMap(({ cases }) => cases.flatMap(({ scores }) => scores.slice(1)));
  const { xOf, shownTicks } = scaleFor(compared.flatMap(({ spread }) => spread));
  /** @type {string[]} */
  const rows = [];
  let y = headHeight;
  for (const { suite, cases } of suites) {
    y += suiteHeight;
    rows.push(text(24, y - 10, suite, 'suite'));
    for (const { name, scores } of cases) {
      if (scores.length < 2) continue;
      y += caseHeight;
      rows.push(text(24, y - 8, name, 'quiet'));
      for (const score of scores.slice(1)) {
        rows.push(...drawScore(score, y, xOf));
        y += rowHeight;
      }
    }
  }
  const bottom = y + 10;
  const height = bottom + axisHeight;
  const grid = shownTicks.flatMap((tick) => [
    `<path class="${tick === 1 ? 'even' : 'grid'}" d="M${xOf(tick)} ${headHeight}V${bottom}"/>`,
    text(xOf(tick), headHeight - 8, `${tick}×`, 'tick'),
    text(xOf(tick), bottom + 18, `${tick}×`, 'tick'),
  ]);
  const title = 'Requests per second of this service ÷ other servers';
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    text(24, 34, title, 'title'),
    text(
      24,
      56,
      'To the right of 1×, this service is faster. Medians of turns; thin lines show the range.',
      'quiet',
    ),
    ...grid,
    ...rows,
    '</svg>',
  ].join('\n')}\n`;
}

/**
 * @param {import('./run-suite.js').Score} score
 * @param {number} y
 * @param {(ratio: number) => number} xOf
 */
function drawScore({ contender, ratio, spread: [least, most] }, y, xOf) {
  const middle = y + rowHeight / 2;
  const even = xOf(1);
  const end = xOf(ratio);
  const barWidth = Math.max(1, Math.abs(end - even)).toFixed(1);
  const labelX = Math.max(xOf(most), even) + 8;
  return [
    text(plotLeft - 12, middle + 4, contender, 'server'),
    `<rect class="${ratio < 1 ? 'slower' : 'faster'}" x="${Math.min(even, end)}" y="${y + 4}" width="${barWidth}" height="${rowHeight - 8}"/>`,
    `<path class="spread" d="M${xOf(least)} ${middle}H${xOf(most)}M${xOf(least)} ${middle - 4}v8M${xOf(most)} ${middle - 4}v8"/>`,
    text(labelX, middle + 4, `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`),
  ];
}

/**
 * A logarithmic scale with room for all ratios and for 1.
 *
 * @param {readonly number[]} ratios
 */
function scaleFor(ratios) {
  const least = Math.min(0.5, ...ratios);
  const most = Math.max(2, ...ratios);
  const from = Math.log(least) - 0.05;
  const to = Math.log(most) + 0.05;
  return {
    /** @param {number} ratio */
    xOf(ratio) {
      const share = (Math.log(ratio) - from) / (to - from);
      return Number((plotLeft + share * (plotRight - plotLeft)).toFixed(1));
    },
    shownTicks: ticks.filter((tick) => tick >= least && tick <= most),
  };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {string} [className]
 */
function text(x, y, content, className) {
  const attribute = className === undefined ? '' : ` class="${className}"`;
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text${attribute} x="${x}" y="${y}">${escaped}</text>`;
}

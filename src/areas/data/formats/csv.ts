/** Comma-separated values (RFC 4180): a header, and a row for each record. */

import { requireLazily } from '../../../base/require-lazily.js';
import type { DataRecord, FieldValue, RecordField, Related, Relation } from '../source/source.js';
import type { Format, FormatContext } from './format.js';

const csv = requireLazily<typeof import('csv-stringify/sync')>('csv-stringify/sync');

interface Column {
  readonly name: string;
  readonly cellOf: (record: DataRecord) => FieldValue;
}

/** What lists are joined by; in the other direction it parts them. */
export const listSeparator = ';';

function columnsOf(context: FormatContext, records: readonly DataRecord[]): readonly Column[] {
  const { source, shape, related, baseUrl } = context;
  const own = source
    .columnsOf(records)
    .filter(({ name }) => shape.fields === undefined || shape.fields.has(topOf(name)))
    .map((field) => ({
      name: field.name,
      cellOf: (record: DataRecord) => cellOf(field, record, source.pictures, baseUrl),
    }));
  const embedded = shape.embeds.flatMap((relation) => {
    const relatedTo = related.get(relation);
    return relatedTo === undefined ? [] : columnsOfRelation(relation, relatedTo, records, baseUrl);
  });
  return [...own, ...embedded];
}

/** A parent has its fields after its name; of children there are the ids. */
function columnsOfRelation(
  { name, kind, other }: Relation,
  relatedTo: Related,
  records: readonly DataRecord[],
  baseUrl: string,
): readonly Column[] {
  if (kind === 'children') {
    const idsOf = (record: DataRecord) =>
      (relatedTo(record) as readonly DataRecord[]).map(({ id }) => id);
    return [{ name, cellOf: (record) => idsOf(record).join(listSeparator) }];
  }
  const parentOf = (record: DataRecord) => relatedTo(record) as DataRecord | null;
  // Each parent once: looking at a large one takes long.
  const parents = [...new Set(records.flatMap((record) => parentOf(record) ?? []))];
  return other.columnsOf(parents).map((field) => ({
    name: `${name}.${field.name}`,
    cellOf: (record) => {
      const parent = parentOf(record);
      return parent && cellOf(field, parent, other.pictures, baseUrl);
    },
  }));
}

function cellOf(
  field: RecordField,
  record: DataRecord,
  pictures: readonly string[],
  baseUrl: string,
): FieldValue {
  const value = field.valueIn(record);
  if (Array.isArray(value)) return value.join(listSeparator);
  return pictures.includes(field.name) && String(value).startsWith('/') ? baseUrl + value : value;
}

function topOf(name: string): string {
  return name.split('.', 1)[0] ?? '';
}

/** The characters with which spreadsheets begin a formula. */
const formula = /^[=+\-@\t\r]/;

/** Numbers are no formulas, whatever their sign. */
function escapeFormula<Cell>(cell: Cell): Cell | string {
  return typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell;
}

function writeRows(rows: readonly (readonly unknown[])[]): string {
  return csv().stringify(rows as unknown[][], {
    record_delimiter: 'windows',
    cast: { boolean: String },
  });
}

/** The rows and cells that one call of the writer writes together. */
const rowsPerPiece = 25;
const cellsPerPiece = 1000;

export const csvFormat: Format = {
  name: 'csv',
  types: ['text/csv'],
  contentTypeOf: () => 'text/csv; charset=utf-8',
  writeOne: (context, record) => csvFormat.writeList(context, [record], noPaging),
  *writeList(context, records) {
    const columns = columnsOf(context, records);
    const shown = context.shape.escapesFormulas ? escapeFormula : <Cell>(cell: Cell) => cell;
    yield writeRows([columns.map(({ name }) => shown(name))]);
    const rows = Math.max(1, Math.min(rowsPerPiece, Math.floor(cellsPerPiece / columns.length)));
    for (let start = 0; start < records.length; start += rows) {
      const piece = records.slice(start, start + rows);
      yield writeRows(
        piece.map((record) => columns.map(({ cellOf: cell }) => shown(cell(record)))),
      );
    }
  },
};

const noPaging = { total: 1, links: {} };

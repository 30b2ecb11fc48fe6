/** Comma-separated values (RFC 4180): a header, and a row for each record. */

import { pictureAddress } from '#data/picture-address.js';
import { escapeFormula, writeRows } from '#http/body/csv-rows.js';
import type { DataRecord, FieldValue, RecordField } from '../source/fields.js';
import type { Relation, Source } from '../source/source.js';
import type { Format, FormatContext } from './format.js';

interface Column {
  readonly name: string;
  readonly cellOf: (record: DataRecord) => FieldValue;
}

/** Joins the values of a list; when parsing, it separates them. */
export const listSeparator = ';';

function columnsOf(context: FormatContext, records: readonly DataRecord[]): readonly Column[] {
  const { source, shape, baseUrl } = context;
  const own = source
    .columnsOf(records)
    .filter(({ name }) => shape.fields?.has(name.split('.', 1)[0] ?? '') ?? true)
    .map((field) => ({ name: field.name, cellOf: cellsOf(field, source, baseUrl) }));
  const embedded = shape.embeds.flatMap((relation) =>
    columnsOfRelation(context, relation, records),
  );
  return [...own, ...embedded];
}

/** Fields of a parent begin with its name; for children, there are only ids. */
function columnsOfRelation(
  { related, baseUrl }: FormatContext,
  relation: Relation,
  records: readonly DataRecord[],
): readonly Column[] {
  const { name, kind, other } = relation;
  const relatedTo = (record: DataRecord) => [related.get(relation)?.(record) ?? []].flat();
  if (kind === 'children') {
    const idsOf = (record: DataRecord) =>
      relatedTo(record).map((child: DataRecord) => child[other.idName] ?? null);
    return [{ name, cellOf: (record) => idsOf(record).join(listSeparator) }];
  }
  // Each parent once, because processing a large one takes long.
  const parents = [...new Set(records.flatMap(relatedTo))];
  return other.columnsOf(parents).map((field) => {
    const cellOf = cellsOf(field, other, baseUrl);
    return {
      name: `${name}.${field.name}`,
      cellOf(record) {
        const [parent = null] = relatedTo(record);
        return parent && cellOf(parent);
      },
    };
  });
}

function cellsOf(field: RecordField, { pictures }: Source, baseUrl: string): Column['cellOf'] {
  const isPicture = pictures.includes(field.name);
  return (record) => {
    const value = field.valueIn(record);
    if (Array.isArray(value)) return value.join(listSeparator);
    return isPicture && typeof value === 'string' ? pictureAddress(baseUrl, value) : value;
  };
}

const rowsPerPiece = 25;
const cellsPerPiece = 1000;

export const csvFormat: Format = {
  name: 'csv',
  types: ['text/csv'],
  contentTypeOf: () => 'text/csv; charset=utf-8',
  *write(context, records) {
    const columns = columnsOf(context, records);
    const shown = context.shape.escapesFormulas ? escapeFormula : (cell: FieldValue) => cell;
    yield writeRows([columns.map(({ name }) => shown(name))]);
    const rows = Math.max(1, Math.min(rowsPerPiece, Math.floor(cellsPerPiece / columns.length)));
    for (let start = 0; start < records.length; start += rows) {
      const piece = records.slice(start, start + rows);
      yield writeRows(piece.map((record) => columns.map(({ cellOf }) => shown(cellOf(record)))));
    }
  },
};

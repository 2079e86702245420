import { unreadableRow } from '@rowkey/odata'
import {
  type AnyQuerySource,
  isRawSource,
  type QueryOptions,
  type RawQuerySource,
} from './query-source.ts'

/**
 * Makes a source whose rows, when they cannot be read, throw a DecodeError that names the table and the
 * key. A source that fetches its rows ready to use stays as it is.
 *
 * @param source - where the rows come from
 */
export function locatedSource<Row, Options extends QueryOptions>(
  source: AnyQuerySource<Row, Options>,
): AnyQuerySource<Row, Options> {
  if (!isRawSource(source)) return source
  return {
    ...fetchingPart(source),
    readRow: (raw, request) => locating(source, raw, () => source.readRow(raw, request)),
    entityOf: (raw) => locating(source, raw, () => source.entityOf(raw)),
  }
}

/**
 * Copies everything of a source but the reading of its rows. A spread would lose the methods of a class.
 *
 * @param source - the source that is called
 */
export function fetchingPart<Row, Options extends QueryOptions>(
  source: RawQuerySource<Row, Options, unknown>,
): Omit<RawQuerySource<Row, Options, unknown>, 'readRow' | 'entityOf'> {
  const { table, tokenSeal } = source
  return {
    table,
    tokenSeal,
    ...(source.beginRun && {
      beginRun: (options: Options) => source.beginRun?.(options) ?? options,
    }),
    fetchPage: (query, page, options) => source.fetchPage(query, page, options),
    findRow: (key, query, options) => source.findRow(key, query, options),
    keyOf: (raw) => source.keyOf(raw),
  }
}

function locating<Row, Options extends QueryOptions, Result>(
  source: RawQuerySource<Row, Options, unknown>,
  raw: unknown,
  read: () => Result,
): Result {
  try {
    return read()
  } catch (thrown) {
    throw unreadableRow(thrown, { table: source.table, ...source.keyOf(raw) })
  }
}

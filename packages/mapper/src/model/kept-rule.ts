import { printFilter } from '@rowkey/odata'
import { keptMark } from '@rowkey/rest'
import { checkNotReserved, notKept } from '../keys/reserved-key.ts'
import type { RowRule } from './row-rule.ts'

/** The rule that keys of entities are not those of rows which Rowkey stores beside entities. */
export const entityKeys: RowRule = { names: [], checkKey: checkNotReserved }

const NOT_KEPT = `(${printFilter(notKept)})`

/** The rule of queries that may meet rows which Rowkey stores beside entities: they are left out. */
export const withoutKept: RowRule = {
  ...entityKeys,
  filter: () => NOT_KEPT,
  hides: ({ RowKey }) => typeof RowKey === 'string' && RowKey.startsWith(keptMark),
}

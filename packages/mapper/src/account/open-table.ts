import type { DynamicEntity } from '@rowkey/odata'
import type { TableService } from '@rowkey/rest'
import type { UnionMember } from '../model/entity-of.ts'
import { toModel } from '../model/to-model.ts'
import { Table } from '../table/table.ts'
import {
  type AccountOptions,
  type ScanOptions,
  scanOptions,
  type TableOptions,
  tableOptions,
} from '../table/table-options.ts'
import { dynamicParts, modelParts } from '../table/table-parts.ts'
import type { UnionTypes } from '../union/entity-union.ts'

/** The arguments of {@link Account.table}, with the account. */
export interface OpenRequest {
  readonly service: TableService
  /** The options of the account. */
  readonly account: AccountOptions
  /** A class or model, or the name of a table. */
  readonly given: string | UnionMember
  /** The options of the table; after a name, also the types of its entities. */
  readonly options: string | TableOptions | UnionTypes
  /** The options of a table of several types. */
  readonly unionOptions: ScanOptions
}

/** Opens a table; nothing is sent. */
export function openTable({ service, account, given, options, unionOptions }: OpenRequest): {
  readonly name: string
} {
  const opened = (scans: ScanOptions) => ({ ...account, ...scanOptions(scans, account) })
  if (typeof given !== 'string') {
    // What else it may be is refused there.
    const named = tableOptions(options as string | TableOptions, account)
    return new Table<object>(modelParts(service, toModel(given), { ...account, ...named }))
  }
  if (isUnion(options)) {
    return options.open(service, { ...opened(unionOptions), name: given })
  }
  // What else it may be is refused there.
  return new Table<DynamicEntity>(dynamicParts(service, given, opened(options as ScanOptions)))
}

function isUnion(given: string | TableOptions | UnionTypes): given is UnionTypes {
  return typeof given === 'object' && given !== null && 'types' in given
}

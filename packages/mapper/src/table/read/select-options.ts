import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../option-names.ts'

/** What reading a part of an entity takes. */
export interface SelectOptions<Name extends string = string> extends CallOptions {
  /**
   * The properties to read, as the class names them. PartitionKey, RowKey, Timestamp and ETag are
   * always read with them, so that the entity can still be merged or deleted.
   */
  readonly select: readonly [Name, ...Name[]]
}

/** The names of {@link SelectOptions}. */
export const SELECT_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'select']

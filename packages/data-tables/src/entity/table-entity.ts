import type { EdmType } from '@rowkey/odata'

/** The Edm types, as the type of an {@link Edm} value names them. */
export type EdmTypes = EdmType

/** A value with its Edm type: `{ type: 'Int64', value: '12345678901' }`. */
export interface Edm<T extends EdmTypes> {
  /** A number for Int32 and Double, a boolean for Boolean, base64 text for Binary, otherwise text. */
  value: T extends 'Binary'
    ? string
    : T extends 'Boolean'
      ? boolean
      : T extends 'Double'
        ? number
        : T extends 'Int32'
          ? number
          : string
  /** The type. */
  type: T
}

/** An entity: its two keys and any other properties. */
export type TableEntity<T extends object = Record<string, unknown>> = T & {
  /** The PartitionKey. */
  partitionKey: string
  /** The RowKey. */
  rowKey: string
}

/** An entity as the service returned it. */
export type TableEntityResult<T> = T & {
  /** The version of the entity. */
  etag: string
  /** The PartitionKey; absent when it was not selected. */
  partitionKey?: string
  /** The RowKey; absent when it was not selected. */
  rowKey?: string
  /** The time of the last write, as text in UTC; absent when it was not selected. */
  timestamp?: string
}

/** The result of a read. */
export type GetTableEntityResponse<T extends object> = TableEntityResult<T>

/** A page of entities. */
export type TableEntityResultPage<T> = Array<TableEntityResult<T>> & {
  /** Where the next page begins; absent on the last page. */
  continuationToken?: string
}

/** Which entities to read, and what of them. */
export interface TableEntityQueryOptions {
  /** The OData filter; `odata` escapes its values. Reads of one entity ignore it. */
  filter?: string
  /** The properties to read, such as `rowKey` and `age`; all when absent. */
  select?: string[]
}

import type { FilterNode } from '@rowkey/odata'
import type { QueryModel, ScanPolicy, TokenSeal } from '@rowkey/query'
import type { TableService } from '@rowkey/rest'
import type { RowCodec } from '../codec/row-codec.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'

/** What a {@link Table} is made from. */
export interface TableParts<Entity extends object> {
  /** The account the table is in. */
  readonly service: TableService
  /** The table's name, checked. */
  readonly name: string
  /** Tells the table from those of other accounts. */
  readonly origin: RowOrigin
  /** Writes and reads its entities. */
  readonly codec: RowCodec<Entity>
  /** What queries may ask about. */
  readonly queryModel: QueryModel
  /** What all queries ask besides; absent when nothing. */
  readonly filter?: FilterNode | undefined
  /** How much queries may read without asking for leave. */
  readonly scans?: ScanPolicy | undefined
  /** Seals the continuation tokens of its queries; absent when they are not sealed. */
  readonly tokenSeal?: TokenSeal | undefined
}

import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** What customers can buy: rows that a program needs before it can do anything. */
@Entity('plans')
export class Plan {
  @PartitionKey() region!: string
  @RowKey() id!: string
  @Property('String') name?: string
  @Property('Int64') bytes?: bigint
  @Property('Double') price?: number
}

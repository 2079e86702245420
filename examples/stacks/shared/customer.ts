import { Entity, ETag, PartitionKey, Property, RowKey } from 'rowkey'

@Entity('customers')
export class Customer {
  @PartitionKey() country!: string
  @RowKey() id!: string
  @Property('String') name?: string
  @Property('Int64') points?: bigint
  @Property('DateTime') since?: Date
  @ETag() etag?: string
}

import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

@Entity('people')
export class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int64') points?: bigint
}

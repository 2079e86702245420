import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A customer as the address book knows one. */
@Entity('customers')
export class Contact {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property() email?: string
  @Property() phone?: string
}

/** The same customer as the shop knows one: the same row, other properties. */
@Entity('customers')
export class Rated {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property('Double') purchases?: number
  @Property('Int32') rating?: number
}

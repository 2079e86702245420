import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A customer in the address book. */
@Entity('customers')
export class Contact {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property() email?: string
  @Property() phone?: string
}

/** The same customer in the shop: the same row, with other properties. */
@Entity('customers')
export class Rated {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property('Double') purchases?: number
  @Property('Int32') rating?: number
}

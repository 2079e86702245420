import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A customer, as the mobile app and the website know it. */
@Entity('customers')
export class Customer {
  @PartitionKey() firstName = ''
  @RowKey() lastName = ''
  @Property() address?: string
  @Property() email?: string
  @Property() phoneNumber?: string
  @Property('DateTime') customerSince?: Date
  @Property('Int32') rating?: number
}

/** What the rating job reads and writes of the same rows. */
@Entity('customers')
export class CustomerRating {
  @PartitionKey() firstName = ''
  @RowKey() lastName = ''
  @Property('DateTime') customerSince?: Date
  @Property('Int32') rating?: number
}

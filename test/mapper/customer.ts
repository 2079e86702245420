import {
  Entity,
  ETag,
  Ignore,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
  Timestamp,
} from '@rowkey/mapper'

/** A customer as the examples of the documentation have it, with a property of every Edm type. */
@Entity('customers')
export class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @StoreAs('cea') @Property() customerEmailAddress?: string
  @Property('Int32') age?: number
  @Property('Double') rating?: number
  @Property('Int64') points?: bigint
  @Property('Boolean') active?: boolean
  @Property('DateTime') since?: Date
  @Property('Guid') account?: string
  @Property('Binary') photo?: Uint8Array
  @Ignore() selected = false
  @ETag() etag?: string
  @Timestamp() modified?: Date

  greet(): string {
    return `Hello ${this.firstName}`
  }
}

/** A new customer. */
export function customer(
  lastName: string,
  firstName: string,
  rest: Partial<Customer> = {},
): Customer {
  return Object.assign(new Customer(), { lastName, firstName }, rest)
}

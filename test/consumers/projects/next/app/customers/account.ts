import { type Account, connect, Entity, PartitionKey, Property, RowKey, type Table } from 'rowkey'
import 'rowkey/embedded'

@Entity('customers')
export class Customer {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property('Int64') points = 120n
  @Property('DateTime') since = new Date('2026-11-23T06:17:14Z')
}

// Hot reloads run this module again; the account and its connections stay.
const kept = globalThis as { account?: Account }
kept.account ??= connect(process.env.TABLES ?? 'memory:')

export const customers: Table<Customer> = kept.account.table(Customer)

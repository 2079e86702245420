import { connect, Entity, PartitionKey, Property, RowKey } from 'rowkey'

@Entity('customers')
export class Customer {
  @PartitionKey() country!: string
  @RowKey() id!: string
  @Property('Int64') points?: bigint
}

/** The account of the program, which knows nothing of tests. */
export const account = connect(process.env.TABLES ?? 'UseDevelopmentStorage=true')
export const customers = account.table(Customer)

/** Adds points to what a customer has. Two calls at once count both. */
export function awardPoints(country: string, id: string, points: bigint): Promise<Customer> {
  return customers.modify([country, id], (customer) => {
    customer.points = (customer.points ?? 0n) + points
  })
}

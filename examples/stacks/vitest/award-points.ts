import type { Table } from 'rowkey'
import type { Customer } from '../shared/customer.ts'

/** Adds points to what a customer has. Two calls at once count both, and a lost response counts them once. */
export function awardPoints(
  customers: Table<Customer>,
  [country, id]: readonly [country: string, id: string],
  points: bigint,
): Promise<Customer> {
  const award = (customer: Customer): void => {
    customer.points = (customer.points ?? 0n) + points
  }
  return customers.modify([country, id], award, { exactWrites: true })
}

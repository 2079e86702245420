'use client'

import type { PlainOf } from 'rowkey'
import type { Customer } from './account'

/** Runs in the browser, too: it receives a plain object, in which a bigint is text. */
export function CustomerCard({ customer }: { readonly customer: PlainOf<Customer> }) {
  return (
    <p>
      {customer.firstName} has {customer.points} points since {customer.since}
    </p>
  )
}

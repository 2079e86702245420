import type { QueryColumn, QueryModel, Secret } from '@rowkey/query'

/** A customer as the examples of the documentation have it, with a property of every Edm type. */
export class Customer {
  lastName = ''
  firstName = ''
  customerEmailAddress?: string
  state?: 'open' | 'closed'
  age?: number
  rating?: number
  points?: bigint
  active?: boolean
  since?: Date
  account?: string
  photo?: Uint8Array
  ssn?: Secret<string>
  selected = false
  greet(): string {
    return `Hello ${this.firstName}`
  }
}

const columns: readonly QueryColumn[] = [
  { property: 'lastName', name: 'PartitionKey', type: 'String' },
  { property: 'firstName', name: 'RowKey', type: 'String' },
  { property: 'customerEmailAddress', name: 'cea', type: undefined },
  { property: 'state', name: 'state', type: undefined },
  { property: 'age', name: 'age', type: 'Int32' },
  { property: 'rating', name: 'rating', type: 'Double' },
  { property: 'points', name: 'points', type: 'Int64' },
  { property: 'active', name: 'active', type: 'Boolean' },
  { property: 'since', name: 'since', type: 'DateTime' },
  { property: 'account', name: 'account', type: 'Guid' },
  { property: 'photo', name: 'photo', type: 'Binary' },
  { property: 'ssn', name: 'ssn', type: 'Binary', unfilterable: 'It is encrypted.' },
]

export const customerModel: QueryModel = {
  name: 'Customer',
  properties: columns.map(({ property }) => property),
  column: (property) => columns.find((column) => column.property === property),
}

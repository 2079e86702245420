import { connect, decorate, Entity, ETag, PartitionKey, Property, RowKey } from 'rowkey'

class Customer {
  lastName!: string
  firstName!: string
  points?: bigint
  etag?: string
}
decorate(Customer, Entity('people'), {
  lastName: PartitionKey(),
  firstName: RowKey(),
  points: Property('Int64'),
  etag: ETag(),
})

const account = connect('memory:')
const customers = account.table(Customer)
await customers.create()
await customers.insert({ lastName: 'Smith', firstName: 'Jeff', points: 5n })
const jeff = await customers.get(['Smith', 'Jeff'])
jeff.points = 6n
await customers.merge(jeff)
const rows = await customers.query().where({ lastName: 'Smith' }).toArray()
if (rows[0]?.points !== 6n || !(rows[0] instanceof Customer)) throw new Error('not the row')
await account.close()
console.log('the decorated class runs')

import { toPlain } from 'rowkey'
import { Customer, customers } from './account'
import { CustomerCard } from './customer-card'

export const dynamic = 'force-dynamic'

/** Reads an entity on the server, and passes it to a component of the browser. */
export default async function Page() {
  await customers.createIfNotExists()
  const ann = Object.assign(new Customer(), { lastName: 'Smith', firstName: 'Ann' })
  await customers.insertOrReplace(ann)
  return <CustomerCard customer={toPlain(await customers.get(['Smith', 'Ann']))} />
}

import { localTableService } from '@rowkey/local'
import { connect } from 'rowkey'
import { afterAll, beforeEach } from 'vitest'
import { Customer } from '../shared/customer.ts'

/** Every worker loads this module, so each test file has a service of its own, and the files run at once. */
export const local = localTableService()
const account = connect(local.connectionString(), { transport: local.transport })
export const customers = account.table(Customer)

beforeEach(async () => {
  // No tables, no faults and no logged requests.
  await local.reset()
  await customers.create()
})
afterAll(() => account.close())

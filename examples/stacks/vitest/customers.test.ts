import { expect, test } from 'vitest'
import { customers } from './tables.ts'

test.each(['Ann', 'Bob'])('a test begins without the rows of another one: %s', async (name) => {
  await customers.insert({ country: 'CH', id: 'ann', name })
  expect(await customers.query().allowTableScan().count()).toBe(1)
})

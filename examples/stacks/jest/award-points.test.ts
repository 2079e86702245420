import { EntityNotFoundError } from 'rowkey'
import { account, awardPoints, customers } from './customers'

beforeAll(() => customers.create())
afterAll(() => account.close())

test('a customer gets points', async () => {
  await customers.insert({ country: 'CH', id: 'ann' })
  await awardPoints('CH', 'ann', 5n)
  await Promise.all([awardPoints('CH', 'ann', 10n), awardPoints('CH', 'ann', 20n)])
  expect((await customers.get(['CH', 'ann'])).points).toBe(35n)
})

test('a missing customer gets none', async () => {
  await expect(awardPoints('CH', 'bob', 5n)).rejects.toThrow(EntityNotFoundError)
})

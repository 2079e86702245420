import { account, customers } from './customers'

beforeAll(() => customers.create())
afterAll(() => account.close())

test('a test file begins without the rows of another one', async () => {
  await customers.insert({ country: 'CH', id: 'ann' })
  expect(await customers.query().allowTableScan().count()).toBe(1)
})

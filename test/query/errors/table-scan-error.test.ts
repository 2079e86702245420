import { InputError } from '@rowkey/odata'
import { TableScanError } from '@rowkey/query'
import { expect, it } from 'vitest'

it('is an InputError that carries the filter', () => {
  const error = new TableScanError({ message: 'no', model: 'Customer', filter: 'age gt 30' })
  expect(error).toBeInstanceOf(InputError)
  expect(error).toMatchObject({
    name: 'TableScanError',
    code: 'TableScan',
    model: 'Customer',
    filter: 'age gt 30',
  })
})

import { InputError } from '@rowkey/odata'
import { PartitionScanError } from '@rowkey/query'
import { expect, it } from 'vitest'

it('PartitionScanError says which model and filter it is about', () => {
  const filter = "PartitionKey eq 'a'"
  const error = new PartitionScanError({ message: 'no', model: 'Customer', filter })
  expect(error).toBeInstanceOf(InputError)
  expect(error).toMatchObject({
    name: 'PartitionScanError',
    code: 'PartitionScan',
    model: 'Customer',
    filter,
  })
})
